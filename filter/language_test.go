package filter_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/config"
)

// reasonIn returns the reason that a reader of an HTML text with a flagged link gets.
func reasonIn(t *testing.T, o filter.Options, before, after string) string {
	t.Helper()
	o.Rules = []rule.Rule{{Name: "all", ReadableHTML: true, IfNotEditable: rule.ActionTag}}
	got, result := htmlOf(t, newFilter(t, o), before+`<a href="http://paypa1.com/">1</a>`+after)
	_, reason, found := strings.Cut(got, "<a>1 [")
	if !found {
		t.Fatalf("no reason: %s\n%s", got, result.Report)
	}
	reason, _, _ = strings.Cut(reason, "]")
	return reason
}

// reasons are the beginnings of the reasons in each language.
var reasons = map[string]string{
	"ar": "أزيل", "de": "Link entfernt", "en": "link removed", "es": "enlace eliminado", "fr": "lien supprimé",
	"hi": "लिंक", "ja": "リンク", "pt": "link removido", "ru": "ссылка", "zh": "链接",
}

// TestReasonsFollowTheWords: the words of a mail tell its language, not what a mail program declares
// for all mail.
func TestReasonsFollowTheWords(t *testing.T) {
	needTables(t)
	words := map[string]string{
		"ar": "عزيزي العميل، تم إيقاف حسابك مؤقتا. يرجى تأكيد بياناتك خلال يومين حتى لا يتم إغلاق الحساب.",
		"de": "Sehr geehrter Kunde, Ihr Konto wurde gesperrt. Bitte bestätigen Sie Ihre Daten innerhalb von zwei Tagen.",
		"en": "Dear customer, your account has been suspended. Please confirm your details within two days.",
		"es": "Estimado cliente, su cuenta ha sido suspendida. Confirme sus datos en un plazo de dos días.",
		"fr": "Cher client, votre compte a été suspendu. Veuillez confirmer vos informations dans les deux jours.",
		"hi": "प्रिय ग्राहक, आपका खाता बंद कर दिया गया है। कृपया दो दिनों के भीतर अपनी जानकारी की पुष्टि करें।",
		"ja": "お客様のアカウントが一時停止されました。二日以内に情報をご確認ください。",
		"pt": "Prezado cliente, a sua conta foi suspensa. Por favor, confirme os seus dados no prazo de dois dias.",
		"ru": "Уважаемый клиент, ваш счёт заблокирован. Пожалуйста, подтвердите свои данные в течение двух дней.",
		"zh": "尊敬的客户，您的账户已被暂停使用。请在两天之内登录并确认您的个人信息，谢谢。",
	}
	if len(words) != len(filter.Languages()) {
		t.Errorf("%d languages of %q", len(words), filter.Languages())
	}
	for tag, text := range words {
		declared := "en"
		if tag == "en" {
			declared = "de"
		}
		for name, before := range map[string]string{
			"in one paragraph": "<html lang=" + declared + "><p>" + text + " ",
			"in boxes":         "<html lang=" + declared + "><table><tr><td>" + strings.ReplaceAll(text, " ", " <span>\r\n</span>") + "</td><td>",
			"beside URLs":      "<html lang=" + declared + "><p>www.example.com/account/your/details the@example.net " + text + " ",
		} {
			if got := reasonIn(t, filter.Options{}, before, ""); !strings.HasPrefix(got, reasons[tag]) {
				t.Errorf("%s, %s: %q", tag, name, got)
			}
		}
	}
}

// TestReasonsOfFewWords: a text that is too short to tell its language is taken for what it
// declares, then for a language of its script, then for that of the configuration.
func TestReasonsOfFewWords(t *testing.T) {
	needTables(t)
	for _, test := range []struct{ before, language, want string }{
		{`<html lang="de-AT"><p>Konto `, "", "de"},
		{`<html lang="xx"><p>Konto `, "", "en"},
		{`<p>Konto `, "", "en"},
		{`<p>Konto `, "de", "de"},
		{`<html lang="fr"><p>Konto `, "de", "fr"},
		{`<p>Вход `, "de", "ru"},
		{`<html lang=es><p>Вход `, "de", "ru"},
		{`<html lang=ja><p>会議通知 `, "", "ja"},
		{`<html lang=ja><p>Login `, "", "ja"},
		{`<p>会議のお知らせ `, "", "ja"},
		{`<p>会议通知 `, "", "zh"},
		{`<p>`, "pt", "pt"},
	} {
		if got := reasonIn(t, filter.Options{Language: test.language}, test.before, ""); !strings.HasPrefix(got, reasons[test.want]) {
			t.Errorf("%s with %q: %q, want %s", test.before, test.language, got, test.want)
		}
	}
}

// TestReasonsInOtherLanguages: a language without reasons gets none of its script, but that of the
// configuration.
func TestReasonsInOtherLanguages(t *testing.T) {
	needTables(t)
	for _, text := range []string{
		"Шановний клієнте, ваш рахунок заблоковано. Будь ласка, підтвердьте свої дані протягом двох днів.",
		"مشتری گرامی، حساب شما مسدود شده است. لطفا اطلاعات خود را تا دو روز دیگر تایید کنید.",
		"Szanowny kliencie, twoje konto zostało zablokowane. Prosimy potwierdzić swoje dane w ciągu dwóch dni.",
		"Gentile cliente, il suo conto è stato sospeso. La preghiamo di confermare i suoi dati entro due giorni.",
		"Αγαπητέ πελάτη, ο λογαριασμός σας έχει ανασταλεί. Επιβεβαιώστε τα στοιχεία σας μέσα σε δύο ημέρες.",
		"고객님의 계정이 일시 중지되었습니다. 이틀 안에 정보를 확인해 주시기 바랍니다.",
	} {
		if got := reasonIn(t, filter.Options{Language: "fr"}, "<p>"+text+" ", ""); !strings.HasPrefix(got, reasons["fr"]) {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// TestReasonOfAnotherServerStays: a server before this one, or a reply, may have told a reason in
// another language than this one finds.
func TestReasonOfAnotherServerStays(t *testing.T) {
	needTables(t)
	const before = `<html lang=de><p>http://paypa1.com/ [enlace eliminado: se parece a paypal.com] x`
	const want = `<html lang=de><p>hxxp[:]//paypa1[.]com/ [enlace eliminado: se parece a paypal.com] x`
	if got, _ := htmlOf(t, editing(t, rule.FlaggedDefang), before); strings.TrimSpace(got) != want {
		t.Error(got)
	}
}

// TestLanguagesOfTheConfiguration: the key takes all languages that there are, and a filter no other.
func TestLanguagesOfTheConfiguration(t *testing.T) {
	if got := config.Default().Service.Language; got != filter.DefaultOptions().Language {
		t.Errorf("default %q", got)
	}
	for _, tag := range filter.Languages() {
		if _, err := filter.New(filter.Options{Language: tag}); err != nil {
			t.Error(err)
		}
	}
	if _, err := filter.New(filter.Options{Language: "xx"}); err == nil || !strings.Contains(err.Error(), "want one of ar, de") {
		t.Errorf("%v", err)
	}
}
