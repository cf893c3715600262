package policy_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// TestEmailProfile: local-parts outside the Email Security Profile have a finding.
func TestEmailProfile(t *testing.T) {
	check(t, []judged{
		{"Cyrillic in Latin", "аdmin@example.com", policy.CodeEmailProfile, policy.SeverityMedium},
		{"Greek in Latin", "mailto:%CE%B1lpha@example.com", policy.CodeEmailProfile, policy.SeverityMedium},
		{"scripts in two words", "иван.smith@example.com", policy.CodeEmailProfile, policy.SeverityNone},
		{"Latin and Han", "jack王@example.com", policy.CodeEmailProfile, policy.SeverityNone},
		{"digits of two systems", "विजय१2@example.com", policy.CodeEmailProfile, policy.SeverityMedium},
		{"digits of one system", "विजय१२@example.com", policy.CodeEmailProfile, policy.SeverityNone},
		{"full-width letters", "ａdmin@example.com", policy.CodeEmailProfile, policy.SeverityMedium},
		{"mathematical letters", "𝗮dmin@example.com", policy.CodeEmailProfile, policy.SeverityMedium},
		{"ligature", "ﬁnance@example.com", policy.CodeEmailProfile, policy.SeverityMedium},
		{"decomposed", "u\u0308ber@example.com", policy.CodeEmailProfile, policy.SeverityLow},
		{"emoji", "😀@example.com", policy.CodeEmailProfile, policy.SeverityLow},
		{"script of limited use", "ᏩᏯ@example.com", policy.CodeEmailProfile, policy.SeverityLow},
		{"quoted", `"a b"@example.com`, policy.CodeEmailProfile, policy.SeverityInfo},
		{"quoted in mailto", "mailto:%22a%20b%22@example.com", policy.CodeEmailProfile, policy.SeverityInfo},
		{"percent sign", "user%ff@example.com", policy.CodeEmailProfile, policy.SeverityNone},
		{"ASCII", "o'neil+tag=x/y@example.com", policy.CodeEmailProfile, policy.SeverityNone},
		{"joiner", "مهدی\u200cنیا@example.com", policy.CodeEmailProfile, policy.SeverityNone},
		{"a web page", "https://example.com/аdmin", policy.CodeEmailProfile, policy.SeverityNone},
	})
}

// A displayName is a name with an address, and the worst finding of a code.
type displayName struct {
	name, address string
	severity      policy.Severity
}

// checkNames judges display names.
func checkNames(t *testing.T, code policy.Code, o policy.Options, names []displayName) {
	t.Helper()
	j := newJudge(t, o)
	scanner := newScanner(t)
	for _, n := range names {
		address := parse(t, n.address)
		findings := j.DisplayName(n.name, nil, address)
		if visible := policy.VisibleText(n.name); len(scanner.Append(nil, visible)) > 0 {
			findings = append(findings, j.DisplayName(visible, scanner.Append(nil, visible), address)...)
		}
		worst := policy.SeverityNone
		for _, f := range findings {
			if f.Code == code {
				worst = max(worst, f.Severity)
			}
		}
		if worst != n.severity {
			t.Errorf("%q <%s>: %s, want %s; findings %+v", n.name, n.address, worst, n.severity, findings)
		}
	}
}

// TestNameProfile: display names outside the Email Security Profile have a finding.
func TestNameProfile(t *testing.T) {
	checkNames(t, policy.CodeEmailProfile, policy.Options{}, []displayName{
		{"Anna Smith", "anna@example.com", policy.SeverityNone},
		{"\u2067דוד\u2069", "david@example.com", policy.SeverityNone},
		{"\u202bדוד\u202c", "david@example.com", policy.SeverityNone},
		{"\u200fדוד\u200e (IT)", "david@example.com", policy.SeverityNone},
		{"\u2067דוד", "david@example.com", policy.SeverityMedium},
		{"דוד\u202c", "david@example.com", policy.SeverityMedium},
		{"\u202b\u2067דוד\u202c\u2069", "david@example.com", policy.SeverityMedium},
		{"A\u0300\u0301\u0302\u0303nna", "anna@example.com", policy.SeverityInfo},
		{"A\u0300\u0301\u0302\u0303\u0304nna", "anna@example.com", policy.SeverityMedium},
		{"A\u0323\u0323nna", "anna@example.com", policy.SeverityMedium},
		{"Ju\u0308rgen", "juergen@example.com", policy.SeverityInfo},
		{"Anna 🌻✨", "anna@example.com", policy.SeverityNone},
		{"❤️ Anna", "anna@example.com", policy.SeverityNone},
	})
}

// TestDisplayName: a sender whose name has a protected domain, or its name, and whose address
// belongs to another owner, has a finding.
func TestDisplayName(t *testing.T) {
	checkNames(t, policy.CodeDisplayName, policy.Options{Protected: []string{"kestrelbank.com", "kestrelbank.de", "nova.example"}}, []displayName{
		{"PayPal", "x@example.net", policy.SeverityMedium},
		{"PayPal Support", "x@example.net", policy.SeverityMedium},
		{"Pay-Pal Security Team", "x@example.net", policy.SeverityMedium},
		{"P\u0430yPal", "x@example.net", policy.SeverityMedium},
		{"PayPa1 Service", "x@example.net", policy.SeverityMedium},
		{"PAYPAL INC.", "x@example.net", policy.SeverityMedium},
		{"Pay\u200bPal", "x@example.net", policy.SeverityMedium},
		{"Bank of America", "x@example.net", policy.SeverityMedium},
		{"Microsoft", "x@example.net", policy.SeverityMedium},
		{"MICROSOFT account team", "x@example.net", policy.SeverityMedium},
		{"Microsoft 365", "x@example.net", policy.SeverityMedium},
		{"Mastercard 24/7", "x@example.net", policy.SeverityMedium},
		{"Deutsche Bank", "x@example.net", policy.SeverityMedium},
		{"Amazon Prime Video", "x@example.net", policy.SeverityMedium},
		{"Microsoft Defender", "x@example.net", policy.SeverityMedium},
		{"Wichtig: PayPal informiert", "x@example.net", policy.SeverityMedium},
		{"PayPal (Europe) S.à r.l. et Cie", "x@example.net", policy.SeverityMedium},
		{"Microsoft Outlook", "MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.com", policy.SeverityNone},
		{"Oberbank", "x@oberbank.example", policy.SeverityNone},
		{"Redd.it", "x@redd.it", policy.SeverityNone},
		{"Docu Signs Team", "x@docusigns.example", policy.SeverityNone},
		{"Docu Signs Ltd", "x@example.net", policy.SeverityNone},
		{"1cloud", "x@1cloud.ru", policy.SeverityNone},
		{"Disney-Plus", "x@disney-plus.example", policy.SeverityNone},
		{"Microsoft", "x@cloud.microsoft", policy.SeverityNone},
		{"Microsoft Outlook", "x@example.net", policy.SeverityMedium},
		{"PayPal.Security", "x@example.net", policy.SeverityMedium},
		{"Amazon.de", "x@example.net", policy.SeverityMedium},
		{"Amazon.de", "x@amazon.de", policy.SeverityNone},
		{"ⓂⒾⒸⓇⓄⓈⓄⒻⓉ", "x@example.net", policy.SeverityMedium},
		{"🅿🅰🆈🅿🅰🅻", "x@example.net", policy.SeverityMedium},
		{"🇵🇦🇾🇵🇦🇱", "x@example.net", policy.SeverityMedium},
		{"ᴘᴀʏᴘᴀʟ", "x@example.net", policy.SeverityMedium},
		{"ᵖᵃʸᵖᵃˡ", "x@example.net", policy.SeverityMedium},
		{"𝓟𝓪𝔂𝓟𝓪𝓵 ✅", "x@example.net", policy.SeverityMedium},
		{"M.i.c.r.o.s.o.f.t Support", "x@example.net", policy.SeverityMedium},
		{"The W-e-l-l-s F_a_r_g_o", "x@example.net", policy.SeverityMedium},
		{"P\u00e1yP\u00e1l", "x@example.net", policy.SeverityMedium},
		{"P\u0332a\u0332y\u0332P\u0332a\u0332l\u0332 S\u0332u\u0332pport", "x@example.net", policy.SeverityMedium},
		{"PayPalSupport", "x@example.net", policy.SeverityMedium},
		{"lnstagram", "x@example.net", policy.SeverityMedium},
		{strings.Repeat("\u200b", 400) + "lnstagram", "x@example.net", policy.SeverityMedium},
		{strings.Repeat("l. ", 400) + "lnstagram", "x@example.net", policy.SeverityNone},
		{"Linkedln Security", "x@example.net", policy.SeverityMedium},
		{"M1crosoft Support", "x@example.net", policy.SeverityMedium},
		{"Fldellty", "x@example.net", policy.SeverityLow},
		{"Micro$oft", "x@example.net", policy.SeverityMedium},
		{"₱ayPal", "x@example.net", policy.SeverityMedium},
		{"P@yPa| Team", "x@example.net", policy.SeverityMedium},
		{"VVells F@rgo", "x@example.net", policy.SeverityMedium},
		{"Netfl!x", "x@example.net", policy.SeverityMedium},
		{"Linkedln", "x@linkedin.com", policy.SeverityNone},
		{"William Collins", "x@example.net", policy.SeverityNone},
		{"Ann @ Work | Berlin!", "x@example.net", policy.SeverityNone},
		{"A$AP Sale!", "x@example.net", policy.SeverityNone},
		{"Anna Smith | PayPal", "x@example.net", policy.SeverityNone},
		{"Re: PayPal", "x@example.net", policy.SeverityMedium},
		{"Apple Support", "x@example.net", policy.SeverityMedium},
		{"AppleSupport", "x@example.net", policy.SeverityMedium},
		{"Apple S\u00fapport", "x@example.net", policy.SeverityMedium},
		{"Apple Tree Support", "x@example.net", policy.SeverityNone},
		{"Chase Support", "x@example.net", policy.SeverityLow},
		{"DHL Express", "x@example.net", policy.SeverityMedium},
		{"DHL Express", "x@dhl.de", policy.SeverityNone},
		{"DHL", "x@example.net", policy.SeverityNone},
		{"K\u00e9strel Bank Team", "x@example.net", policy.SeverityMedium},
		{"N\u00f3va", "x@example.net", policy.SeverityNone},
		{"Microsoft", "x@microsoftstore.com", policy.SeverityNone},
		{"Marta Microsoft", "x@example.net", policy.SeverityNone},
		{"Microsoft AIert Tearn", "x@example.net", policy.SeverityMedium},
		{"𝐏𝐚𝐲𝐏𝐚𝐥 𝐒.𝐀.", "x@example.net", policy.SeverityMedium},
		{"Microsoft AI", "x@example.net", policy.SeverityNone},
		{"Dropbox Sign", "noreply@mail.hellosign.com", policy.SeverityNone},
		{"American Express", "x@aexp.com", policy.SeverityNone},
		{"Citibank", "alerts@info6.citi.com", policy.SeverityNone},
		{"L.i.n.k.e.d.I.n. .H.R", "x@example.net", policy.SeverityMedium},
		{"T-h-e - P-a-y-P-a-l - T-e-a-m", "x@example.net", policy.SeverityMedium},
		{"P. a. y. P. a. l.  T. e. a. m", "x@example.net", policy.SeverityMedium},
		{"M. i. c. r. o. s. o. f. t.", "x@example.net", policy.SeverityMedium},
		{"J. R. R. T. Team", "x@example.net", policy.SeverityNone},
		{"PayPal Pte. Ltd.", "x@example.net", policy.SeverityMedium},
		{"PayPal (Europe) S.à r.l. et Cie, S.C.A.", "x@example.net", policy.SeverityMedium},
		{"Microsoft S.A. de C.V.", "x@example.net", policy.SeverityMedium},
		{"Netflix Sp. z o.o.", "x@example.net", policy.SeverityMedium},
		{"Netflix Ltd. Şti.", "x@example.net", policy.SeverityMedium},
		{"Netflix בע\"מ", "x@example.net", policy.SeverityMedium},
		{"ООО Microsoft", "x@example.net", policy.SeverityMedium},
		{"PayPal Dział Obsługi Klienta", "x@example.net", policy.SeverityMedium},
		{"PayPal 客户服务中心", "x@example.net", policy.SeverityMedium},
		{"PayPalサポートセンター", "x@example.net", policy.SeverityMedium},
		{"PayPal (Europe) S.à r.l. et Cie, S.C.A.", "service@paypal.lu", policy.SeverityNone},
		{"Marta Microsoft, S.L.", "x@example.net", policy.SeverityNone},
		{"PayPal Freunde e.V.", "x@example.net", policy.SeverityNone},
		{"PayPal 中心花園", "x@example.net", policy.SeverityNone},
		{"DHL Ltd.", "x@example.net", policy.SeverityNone},
		{"PayPal S.A. -", "x@example.net", policy.SeverityMedium},
		{"PayPal Sp. z o.o. ✔", "x@example.net", policy.SeverityMedium},
		{"PayPal Pte. Ltd. Support Team", "x@example.net", policy.SeverityMedium},
		{"S.A. PayPal", "x@example.net", policy.SeverityMedium},
		{"Marta Microsoft, S.L. Support", "x@example.net", policy.SeverityNone},
		{"Team O2", "x@example.net", policy.SeverityNone},
		{"Apple S.A.", "x@example.net", policy.SeverityLow},
		{"The PayPal Team", "service@paypal.com", policy.SeverityNone},
		{"PayPal", "service@paypal.de", policy.SeverityNone},
		{"PayPal", "service@mail.paypal.com", policy.SeverityNone},
		{"PayPal", "service@paypal-communication.com", policy.SeverityNone},
		{"Facebook", "x@facebookmail.com", policy.SeverityNone},
		{"Anna Smith (PayPal)", "anna@example.net", policy.SeverityNone},
		{"Anna via PayPal", "anna@example.net", policy.SeverityNone},
		{"Apple", "x@example.net", policy.SeverityLow},
		{"Outlook", "x@example.net", policy.SeverityLow},
		{"WordPress", "wordpress@example.net", policy.SeverityLow},
		{"WordPress Support", "wordpress@example.net", policy.SeverityMedium},
		{"WordPress", "x@example.net", policy.SeverityMedium},
		{"Wikipedia", "wiki@wikimedia.org", policy.SeverityNone},
		{"Adobe Sign", "echosign@echosign.com", policy.SeverityNone},
		{"Kestrel Bank", "x@example.net", policy.SeverityMedium},
		{"Kestrelbank HR", "x@gmail.com", policy.SeverityMedium},
		{"KestreIbank", "x@gmail.com", policy.SeverityMedium},
		{"Kestrel Bank", "x@kestrelbank.com", policy.SeverityNone},
		{"Kestrel Bank", "x@kestrelbank.de", policy.SeverityNone},
		{"NETFLlX Billing", "x@example.net", policy.SeverityMedium},
		{"M1cro5oft", "x@example.net", policy.SeverityMedium},
		{"P4yP4l", "x@example.net", policy.SeverityMedium},
		{"P\u0489a\u0489y\u0489P\u0489a\u0489l\u0489", "x@example.net", policy.SeverityMedium},
		{"P\u0430yp\u0430l via Anna Smith", "x@example.net", policy.SeverityMedium},
		{"App1e", "x@example.net", policy.SeverityMedium},
		{"App1e", "x@apple.com", policy.SeverityNone},
		{"Appie", "x@example.net", policy.SeverityNone},
		{"Anna Smith \u043e\u0442 Paypal", "x@example.net", policy.SeverityNone},
		{"ThePayPalTeam", "x@example.net", policy.SeverityMedium},
		{"MicrosoftAccountTeam", "x@example.net", policy.SeverityMedium},
		{"DHLExpress", "x@example.net", policy.SeverityMedium},
		{"teampaypal", "x@example.net", policy.SeverityMedium},
		{"PaypalMiller", "x@example.net", policy.SeverityNone},
		{"PayPal_2FA", "x@example.net", policy.SeverityMedium},
		{"PayPal via DocuSign", "x@example.net", policy.SeverityMedium},
		{"PayPal via DocuSign", "dse@docusign.net", policy.SeverityNone},
		{"Netflix + Spotify", "x@example.net", policy.SeverityMedium},
		{"Netflix & Spotify Fans", "x@example.net", policy.SeverityNone},
		{"App|e", "x@example.net", policy.SeverityMedium},
		{"@pple", "x@example.net", policy.SeverityMedium},
		{"@Apple", "x@example.net", policy.SeverityLow},
		{"𝗔𝗽𝗽𝗹𝗲", "x@example.net", policy.SeverityMedium},
		{"𝐃𝐇𝐋", "x@example.net", policy.SeverityMedium},
		{"Apple™", "x@example.net", policy.SeverityLow},
		{"PayPalⓇ", "x@example.net", policy.SeverityMedium},
		{"PayPal㈱", "x@example.net", policy.SeverityMedium},
		{"🆕 PayPal 🆗", "x@example.net", policy.SeverityMedium},
		{"\u0483PayPal", "x@example.net", policy.SeverityMedium},
		{"\u093c\u093cPayPal Support", "x@example.net", policy.SeverityMedium},
		{"Anna 🆕 PayPal", "x@example.net", policy.SeverityNone},
		{"LinkеdIn", "x@example.net", policy.SeverityMedium},
		{"Microsøft", "x@example.net", policy.SeverityMedium},
		{"G⚪⚪gle", "x@example.net", policy.SeverityMedium},
		{"Micr🟠soft Team", "x@example.net", policy.SeverityMedium},
		{"Samsun ★", "x@example.net", policy.SeverityNone},
		{"Microsoft Exchange Mailbox Password Desk", "x@example.net", policy.SeverityMedium},
		{"Netflix Payment Declined", "x@example.net", policy.SeverityMedium},
		{"Dropbox Anything Account", "x@example.net", policy.SeverityMedium},
		{"Bitcoin Price Update", "x@example.net", policy.SeverityNone},
		{"Samsung Repairs Support", "x@example.net", policy.SeverityNone},
		{"Kestrelbank Birdwatching Club", "x@example.net", policy.SeverityNone},
		{"Micorsoft Support", "x@example.net", policy.SeverityMedium},
		{"Bank of Amercia", "x@example.net", policy.SeverityMedium},
		{"Kestrel Bamk", "x@example.net", policy.SeverityMedium},
		{"Citybank", "x@example.net", policy.SeverityNone},
		{"Papal Team", "x@example.net", policy.SeverityNone},
		{"Service Fidélité", "x@example.net", policy.SeverityNone},
		{"Сбербанк Онлайн", "x@example.net", policy.SeverityMedium},
		{"СберБанк", "x@sber.ru", policy.SeverityNone},
		{"アマゾンカスタマーサービス", "x@example.net", policy.SeverityMedium},
		{"アマゾン", "x@amazon.co.jp", policy.SeverityNone},
		{"Nova", "x@example.net", policy.SeverityMedium},
		{"Nova Martinez", "x@example.net", policy.SeverityNone},
		{"service@kestrelbank.com", "x@example.net", policy.SeverityHigh},
		{"www.kestrelbank.com", "x@example.net", policy.SeverityHigh},
		{"anna@example.org", "x@example.net", policy.SeverityMedium},
		{"anna@example.net", "x@mail.example.net", policy.SeverityNone},
		{"Support", "x@example.net", policy.SeverityNone},
		{"", "x@example.net", policy.SeverityNone},
	})
}

// TestDigitsInName: digits beside a brand count as a separate word, as behind a space or hyphen, if
// the name of the brand is long enough to count alone.
func TestDigitsInName(t *testing.T) {
	checkNames(t, policy.CodeDisplayName, policy.Options{Protected: []string{"kestrelbank.com", "nova.example"}}, []displayName{
		{"Microsoft365 Security", "x@evil.example.net", policy.SeverityMedium},
		{"PayPal24", "x@evil.example.net", policy.SeverityMedium},
		{"Pay\u200bPal24", "x@evil.example.net", policy.SeverityMedium},
		{"Sparkasse24 Support", "x@evil.example.net", policy.SeverityMedium},
		{"24PayPal", "x@evil.example.net", policy.SeverityMedium},
		{"Microsoft365Security", "x@evil.example.net", policy.SeverityMedium},
		{"M1crosoft365", "x@evil.example.net", policy.SeverityMedium},
		{"Micros0ft365 Team", "x@evil.example.net", policy.SeverityMedium},
		{"𝐏𝐚𝐲𝐏𝐚𝐥𝟐𝟒", "x@evil.example.net", policy.SeverityMedium},
		{"P@yPal24", "x@evil.example.net", policy.SeverityMedium},
		{"Sale! 2024 $ale99", "x@evil.example.net", policy.SeverityNone},
		{"Сбербанк24", "x@evil.example.net", policy.SeverityMedium},
		{"Kestrelbank24 Team", "x@evil.example.net", policy.SeverityMedium},
		{"Outlook365", "x@evil.example.net", policy.SeverityLow},
		{"PayPal24", "x@paypal.com", policy.SeverityNone},
		{"PayPal24", "x@paypal24.example", policy.SeverityNone},
		{"Sparkasse24", "x@sparkasse.de", policy.SeverityNone},
		{"Apple24", "x@evil.example.net", policy.SeverityNone},
		{"Nova2024", "x@evil.example.net", policy.SeverityNone},
		{"Studio54", "x@evil.example.net", policy.SeverityNone},
		{"W3Schools", "x@evil.example.net", policy.SeverityNone},
		{"Heizung24 Support", "x@evil.example.net", policy.SeverityNone},
		{"Immobilien2024 Sparkassenhaus", "x@evil.example.net", policy.SeverityNone},
		{"Anna Smith PayPal24", "x@evil.example.net", policy.SeverityNone},
	})
}

// TestWordsInDomainOfSender: a domain of the sender that has a word of the display name is an
// excuse, but not for lures and words that are common beside names.
func TestWordsInDomainOfSender(t *testing.T) {
	checkNames(t, policy.CodeDisplayName, policy.Options{Protected: []string{"kestrelbank.com"}}, []displayName{
		{"PayPal Support", "x@support-desk77.com", policy.SeverityMedium},
		{"PayPa1 Support", "x@support-desk77.com", policy.SeverityMedium},
		{"P@ypal Support", "x@support-desk77.com", policy.SeverityMedium},
		{"Microsoft Security", "x@security-alert.net", policy.SeverityMedium},
		{"Microsoft Account Team", "x@account-team.net", policy.SeverityMedium},
		{"Microsoft 365365", "x@365365.net", policy.SeverityMedium},
		{"Kestrelbank Service", "x@service-mail.net", policy.SeverityMedium},
		{"PayPa1", "x@paypa1.com", policy.SeverityMedium},
		{"1cloud Support", "x@1cloud.ru", policy.SeverityNone},
		{"Micr\u03bfsoft Kestrel Password", "x@kestrel.example", policy.SeverityMedium},
		{"Kestrel Password", "x@kestrel.example", policy.SeverityNone},
		{"Oberbank Service", "x@oberbank.example", policy.SeverityNone},
		{"Docu Signs Service", "x@docusigns.example", policy.SeverityNone},
	})
}

// TestProvidersOfMailboxes: an address at a provider of mailboxes belongs to a customer, not to the
// provider, nor to a company that the name mentions beside it.
func TestProvidersOfMailboxes(t *testing.T) {
	checkNames(t, policy.CodeDisplayName, policy.Options{Protected: []string{"kestrelbank.com"}}, []displayName{
		{"Microsoft Account Team", "x@outlook.com", policy.SeverityMedium},
		{"Microsoft Outlook", "x@outlook.com", policy.SeverityMedium},
		{"Google Support", "x@gmail.com", policy.SeverityMedium},
		{"Google", "x@googlemail.com", policy.SeverityMedium},
		{"Apple Support", "x@icloud.com", policy.SeverityMedium},
		{"Yahoo Support", "anna.smith@yahoo.com", policy.SeverityMedium},
		{"Yahoo Security", "yahoo.support@yahoo.com", policy.SeverityMedium},
		{"Gmail Team", "x42@gmail.com", policy.SeverityMedium},
		{"GMX Kundenservice", "anna@gmx.net", policy.SeverityMedium},
		{"네이버 고객센터", "anna@naver.com", policy.SeverityMedium},
		{"iCloud Support", "no-reply@icloud.com", policy.SeverityNone},
		{"GMX Kundenservice", "kundenservice@gmx.net", policy.SeverityNone},
		{"Yahoo Mail", "anna@yahoo.com", policy.SeverityNone},
		{"AOL Member", "jim123@aol.com", policy.SeverityNone},
		{"My Gmail Account", "anna@gmail.com", policy.SeverityNone},
		{"Gmail", "anna@gmail.com", policy.SeverityNone},
		{"PayPal Outlook", "x@outlook.com", policy.SeverityMedium},
		{"PayPal Outlook", "x@outlook.de", policy.SeverityMedium},
		{"PayPal Gmail Support", "x@gmail.com", policy.SeverityMedium},
		{"Gmail PayPal Support", "x@gmail.com", policy.SeverityMedium},
		{"Yahoo PayPal Support", "x@yahoo.com", policy.SeverityMedium},
		{"PayPal Hotmail", "x@hotmail.com", policy.SeverityMedium},
		{"Kestrelbank Outlook", "postmaster@outlook.com", policy.SeverityMedium},
		{"Microsoft Outlook", "postmaster@outlook.com", policy.SeverityNone},
		{"Microsoft account team", "account-security-noreply@accountprotection.microsoft.com", policy.SeverityNone},
		{"Microsoft", "x@mails.outlook.com", policy.SeverityNone},
		{"Google", "no-reply@accounts.google.com", policy.SeverityNone},
		{"Gmail Team", "mail-noreply@google.com", policy.SeverityNone},
		{"Apple", "noreply@email.apple.com", policy.SeverityNone},
		{"Apple", "news@insideicloud.icloud.com", policy.SeverityNone},
		{"iCloud", "noreply@icloud.com", policy.SeverityNone},
		{"Yahoo", "x@cc.yahoo-inc.com", policy.SeverityNone},
		{"Anna Smith", "anna@gmail.com", policy.SeverityNone},
		{"Anna Gmail", "anna@gmail.com", policy.SeverityNone},
		{"Anna Hotmail", "anna@hotmail.com", policy.SeverityNone},
		{"OneDrive", "no-reply@notify.microsoft.com", policy.SeverityNone},
		{"OneDrive", "anybody@outlook.com", policy.SeverityMedium},
		{"Hotmail", "anybody@outlook.com", policy.SeverityMedium},
		{"YouTube Premium", "youtube-noreply@google.com", policy.SeverityNone},
		{"YouTube Premium", "anybody@gmail.com", policy.SeverityMedium},
		{"Instagram", "no-reply@facebookmail.com", policy.SeverityNone},
		{"WhatsApp Business", "noreply@business.facebook.com", policy.SeverityNone},
		{"Raiffeisenbank a.s.", "info@rb.cz", policy.SeverityNone},
	})
}

// TestNameInOtherScript: the name of a brand in another script, or in another of its spellings,
// counts as the name.
func TestNameInOtherScript(t *testing.T) {
	checkNames(t, policy.CodeDisplayName, policy.Options{}, []displayName{
		{"アップル", "x@shop.example", policy.SeverityLow},
		{"애플", "x@shop.example", policy.SeverityLow},
		{"iTunes", "x@shop.example", policy.SeverityMedium},
		{"ВКонтакте", "x@shop.example", policy.SeverityMedium},
		{"Internal Revenue Service", "x@shop.example", policy.SeverityMedium},
		{"アップル サポート", "x@shop.example", policy.SeverityMedium},
		{"アマゾン", "x@shop.example", policy.SeverityMedium},
		{"Quick Books", "x@quickbooks-club.example", policy.SeverityNone},
		{"アップル App1e", "x@shop.example", policy.SeverityMedium},
		{"A p p l e", "x@shop.example", policy.SeverityMedium},
	})
}

// TestSignsInName: a name with signs in place of letters is read as the first brand that it may be.
// A long name with signs is not read.
func TestSignsInName(t *testing.T) {
	for range 20 {
		j := newJudge(t, policy.Options{Protected: []string{"mailpaint.example", "mailpoint.example"}})
		findings := j.DisplayName("Mailp⚪int", nil, parse(t, "x@example.net"))
		if len(findings) == 0 || !strings.Contains(findings[0].Detail, "mailpaint.example") {
			t.Fatalf("%+v, want one about mailpaint.example", findings)
		}
	}
	checkNames(t, policy.CodeDisplayName, policy.Options{}, []displayName{
		{strings.Repeat("⚪ ", 20) + "G⚪⚪gle", "x@example.net", policy.SeverityMedium},
		{strings.Repeat("⚪ ", 500) + "G⚪⚪gle", "x@example.net", policy.SeverityNone},
	})
}

// TestNamesInFonts: the name of a brand in mathematical or other letters of fontLetters is found.
func TestNamesInFonts(t *testing.T) {
	var names []displayName
	for _, name := range []string{
		"卩卂ㄚ卩卂ㄥ", "קคץקคɭ", "ᑭᗩYᑭᗩᒪ", "₱₳Ɏ₱₳Ⱡ", "ᎮᏗᎩᎮᏗᏝ", "የልሃየልረ", "քǟʏքǟʟ", "ραуραℓ", "℘ąყ℘ąƖ", "pคฯpคl", "ꉣꋬꌦꉣꋬ꒒", "Pคyקคl Support", "Wha†sApp",
	} {
		names = append(names, displayName{name, "x@example.net", policy.SeverityMedium}, displayName{name, "x@paypal.com", policy.SeverityNone})
	}
	names[len(names)-1].address = "x@whatsapp.com"
	checkNames(t, policy.CodeDisplayName, policy.Options{}, names)
}

// TestSenderWithoutAddress: a name without an address is judged as if the address belonged to
// another owner.
func TestSenderWithoutAddress(t *testing.T) {
	j := newJudge(t, policy.Options{})
	scanner := newScanner(t)
	for name, want := range map[string]policy.Severity{
		"PayPal": policy.SeverityMedium, "Apple": policy.SeverityLow, "service@paypal.com": policy.SeverityHigh, "www.paypal.com": policy.SeverityHigh,
		"Anna": policy.SeverityNone, "anna@example.org": policy.SeverityNone, "MAILER-DAEMON": policy.SeverityNone,
		"https://www.example.org/ Anna at paypal.com": policy.SeverityMedium, // a link with no target; it is as bad with an address
	} {
		for _, address := range []engine.Link{{}, {Kind: engine.KindEmail}} {
			worst := policy.SeverityNone
			for _, f := range j.DisplayName(name, scanner.Append(nil, name), address) {
				worst = max(worst, f.Severity)
			}
			if worst != want {
				t.Errorf("%q: %s, want %s", name, worst, want)
			}
		}
	}
}

// rareScripts are the scripts of limited use: their addresses keep a finding of low severity.
var rareScripts = map[string]bool{"bopomofo": true, "cherokee": true, "canadian": true, "tifinagh": true, "nko": true, "syriac": true}

// TestHonestAddresses: honest addresses and display names in all scripts have no finding, except
// that the examples have no top-level domain.
func TestHonestAddresses(t *testing.T) {
	j := newJudge(t, policy.Options{})
	addresses, scripts := 0, 0
	honest := func(script, what string, findings []policy.Finding) {
		for _, f := range findings {
			if f.Severity >= policy.SeverityMedium || f.Code != policy.CodeUnknownTLD && !rareScripts[script] {
				t.Errorf("%s: %s: %+v", script, what, f)
			}
		}
	}
	for line := range hostsOf(t, "testdata/addresses.txt") {
		fields := strings.Fields(line)
		scripts++
		before := fields[len(fields)-1]
		for _, name := range fields[2:] {
			for _, text := range []string{name + "@" + fields[1], name + "@example.com", "mailto:" + name + "." + before + "@" + fields[1]} {
				link, err := engine.ParseLink(text)
				if err != nil || link.Kind != engine.KindEmail {
					t.Errorf("%s: kind %s, error %v", text, link.Kind, err)
					continue
				}
				addresses++
				honest(fields[0], text, j.Link(link).Findings)
				honest(fields[0], text, j.DisplayName(name+" "+before, nil, link))
			}
			before = name
		}
	}
	t.Logf("%d addresses in %d scripts and languages", addresses, scripts)
	if addresses < 600 || scripts < 45 {
		t.Errorf("only %d addresses in %d scripts and languages", addresses, scripts)
	}
}
