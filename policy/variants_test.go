package policy_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// A situation is what a reader meets: a link alone; a text, label or display name with a target; a
// text alone; or an authority that browsers refuse.
type situation struct {
	link, address, text, label, name, target, authority string
	styled                                              string // the target of a link whose text styles draw
}

// findings judges the situation.
func (s situation) findings(t *testing.T, scanner *engine.Scanner, j *policy.Judge) []policy.Finding {
	t.Helper()
	switch {
	case s.styled != "":
		return j.StyledText(parse(t, s.styled))
	case s.authority != "":
		return j.RefusedAuthority(s.authority)
	case s.label != "":
		return j.LabelTarget(s.label, scanner.Append(nil, s.label), parse(t, s.target))
	case s.address != "":
		return j.Link(parse(t, s.address)).Findings
	case s.name != "":
		named := scanner.Append(nil, policy.VisibleText(s.name))
		return slices.Concat(j.DisplayName(policy.VisibleText(s.name), named, parse(t, s.target)), j.DisplayName(s.name, nil, parse(t, s.target)))
	case s.target != "":
		return textTarget(t, scanner, j, s.text, s.target)
	case s.text != "":
		return j.TextTarget(s.text, nil, engine.Link{})
	}
	links := scanner.Append(nil, s.link)
	if len(links) != 1 {
		t.Fatalf("%.60q: %d links", s.link, len(links))
	}
	return j.Link(links[0]).Findings
}

// situations has an example of each variant, by code and name.
var situations = map[string]situation{
	"mixed-script/clashing":                  {link: "http://pаypal.com"},
	"mixed-script/latin":                     {link: "http://shopไทย.com"},
	"mixed-script/words":                     {link: "http://cfp-франк.com"},
	"whole-script-confusable/word":           {link: "http://горје.com"},
	"invisible-character/word-break":         {link: "http://ព្រះរាជា\u200bអាណាចក្រ.com"},
	"whole-script-confusable/label":          {link: "http://раураӏ.com"},
	"lookalike/alike":                        {link: "http://paypa1.com"},
	"lookalike/near":                         {link: "http://páypal.com"},
	"lookalike/as-typed":                     {link: "http://PayPaI.com"},
	"lookalike/short-alike":                  {link: "http://dh1.com.example.net"},
	"lookalike/short-before":                 {link: "http://dhl.com.example.net"},
	"lookalike/before":                       {link: "http://paypal.com.example.net"},
	"lookalike/without-dot":                  {link: "http://paypal-com.example.net"},
	"lookalike/www-without-dot":              {link: "http://wwwpaypal.com"},
	"lookalike/part-alike":                   {link: "http://login-paypa1.net"},
	"lookalike/part-near":                    {link: "http://vvalmart-fans.com"},
	"lookalike/part-before":                  {link: "http://secure-paypal.com.example.net"},
	"lookalike/scheme":                       {link: "http://https--www-roblox.com"},
	"lookalike/part-without-dot":             {link: "http://paypal-com-login.example.net"},
	"lookalike/beside-lure":                  {link: "http://secure-paypal.net"},
	"lookalike/popular":                      {link: "http://blοgger.com"},
	"lookalike/typing-error":                 {link: "http://facebok.com"},
	"lookalike/hyphen":                       {link: "http://abcde.net"},
	"lookalike/other-suffix":                 {link: "http://ownexample.info"},
	"lookalike/service":                      {link: "http://ownexample.github.io"},
	"lookalike/added-word":                   {link: "http://invoicelinkedin.net"},
	"lookalike/correspondent":                {link: "http://kupferwrek.org"},
	"lookalike/near-correspondent":           {link: "http://kupferwerk.com"},
	"lookalike/dot":                          {link: "http://face.book.com"},
	"lookalike/short-dot":                    {link: "http://pay.pal.com"},
	"lookalike/short-typing-error":           {link: "http://paypsl.com"},
	"lookalike/short-added-word":             {link: "http://paypalcareers.net"},
	"lookalike/transliterated":               {link: "http://muellerwerke.com"},
	"lookalike/own-name":                     {link: "http://import-kestrelquix.net"},
	"lookalike/near-own-name":                {link: "http://kestrelquux-import.net"},
	"lookalike/own-name-below":               {link: "http://kestrelquix.example.net"},
	"lookalike/word":                         {link: "http://example.net/pаypal/login"},
	"restricted-character/restricted":        {link: "http://ɡoogle.example"},
	"restricted-character/rare":              {link: "http://ĕxample.com"},
	"restricted-character/dotless":           {link: "http://bı\u0301rd.com"},
	"restricted-character/mark":              {link: "http://ไทย\u0329.com"},
	"mixed-digits/systems":                   {link: "http://8৪.com"},
	"mixed-digits/letter":                    {link: "http://16з.com"},
	"invisible-character/host":               {link: "http://exam\u200bple.com"},
	"invisible-character/mark-twice":         {link: "http://ñ\u0303andu.com"},
	"invisible-character/dot":                {link: "http://exaṁpli\u0307.com"},
	"invisible-character/path":               {link: "http://example.com/a\u200bb"},
	"invisible-character/joiner":             {link: "http://example.com/a\u200db"},
	"syntax-lookalike/host":                  {authority: "example.net＃.example.com"},
	"syntax-lookalike/kana":                  {link: "http://aーb.jp"},
	"syntax-lookalike/domain-label":          {link: "http://paypal·com.example.net"},
	"syntax-lookalike/path":                  {link: "http://example.com/a∕b"},
	"invalid-idna/empty-label":               {link: "http://example..com/"},
	"invalid-idna/character":                 {link: "https://paypal.com+x.evil.com/"},
	"invalid-idna/hyphen":                    {link: "http://abc-.example.com/"},
	"invalid-idna/refused":                   {link: "http://xn--a.com"},
	"invalid-idna/underscore":                {link: "http://example.com_b/"},
	"invalid-idna/href":                      {authority: "example.com<"},
	"unknown-tld/host":                       {link: "http://example.zzzz"},
	"invalid-tld/host":                       {link: "http://example.a"},
	"ip-host/host":                           {link: "http://192.0.2.1/"},
	"obfuscated-ip/host":                     {link: "http://0xc0000201/"},
	"too-long/host":                          {link: "http://" + strings.Repeat("a", 64) + ".com"},
	"too-long/link":                          {link: "http://example.com/" + strings.Repeat("a", 3000)},
	"bidi-order/domain":                      {link: "http://example.com.אב.קום/"},
	"bidi-order/path":                        {link: "http://example.ישראל/2026"},
	"listed/host":                            {link: "http://listed.example.org/"},
	"listed/url":                             {link: "http://listed.example.com/page"},
	"listed/zone":                            {link: "http://zone.example.org/"},
	"listed/watched":                         {link: "http://watched.example.org/"},
	"blocked/host":                           {link: "http://blocked.example.org/"},
	"shortener/host":                         {link: "https://bit.ly/abc"},
	"userinfo/host":                          {link: "http://www.example.com@example.net/"},
	"userinfo/backslash":                     {link: `http://example.net\@paypal.com`},
	"userinfo/name":                          {link: "http://anna@example.net/"},
	"userinfo/empty":                         {link: "http://@example.net/"},
	"userinfo/anonymous":                     {link: "ftp://anonymous@example.net/"},
	"userinfo/same-domain":                   {link: "https://example.com，joe@example.com"},
	"bidi-control/host":                      {link: "http://exam\u202eple.com/"},
	"bidi-control/override":                  {link: "http://example.com/a%E2%80%AEgpj.exe"},
	"bidi-control/text":                      {text: "moc.\u202eexample"},
	"bidi-control/embedding":                 {link: "http://example.com/a%E2%80%AAb"},
	"bidi-control/mark":                      {link: "http://example.com/a%E2%80%8Eb"},
	"mixed-script-path/latin":                {link: "http://example.com/lоgin"},
	"mixed-script-path/other":                {link: "http://example.com/μTorrent"},
	"over-escaped/host":                      {link: "http://ex%61mple.com/login"},
	"over-escaped/path":                      {link: "http://example.com/%6cogin"},
	"double-escaped/path":                    {link: "http://example.com/%25E0%25A4"},
	"invalid-escape/overlong":                {link: "http://example.com/..%C0%AFetc"},
	"invalid-escape/nul":                     {link: "http://example.com/a%00"},
	"invalid-escape/percent":                 {link: "http://example.com/100%"},
	"email-profile/scripts":                  {link: "pаypal.service@example.net"},
	"email-profile/digits":                   {link: "8৪@example.net"},
	"email-profile/restricted":               {link: "ɡoogle@example.net"},
	"email-profile/name-control":             {name: "\u2067PayPal", target: "x@paypal.com"},
	"email-profile/name-marks":               {name: "P\u0301\u0300\u0302\u0303\u0304aypal", target: "x@paypal.com"},
	"email-profile/form":                     {link: "u\u0308ber@example.net"},
	"email-profile/rare":                     {address: "😀@example.net"},
	"email-profile/quoted":                   {address: "\"a b\"@example.net"},
	"email-profile/name-form":                {name: "Ju\u0308rgen", target: "x@example.net"},
	"display-name/protected":                 {name: "service@paypal.com", target: "x@example.net"},
	"display-name/protected-domain":          {name: "Your paypal.com account", target: "x@example.net"},
	"display-name/brand":                     {name: "PayPal Kundenservice", target: "x@example.net"},
	"display-name/other":                     {name: "info@shop.com", target: "x@example.net"},
	"display-name/same-name":                 {name: "https://www.paypal.com/", target: "x@paypal.co"},
	"display-name/short-brand":               {name: "Outlook Team", target: "x@example.net"},
	"display-name/domain":                    {name: "Booking.org", target: "x@example.net"},
	"display-name/mentioned":                 {name: "anna@firm.com via List", target: "list@example.net"},
	"styled-text/link":                       {styled: "https://example.net/"},
	"text-target-mismatch/protected-url":     {text: "https://paypal.com/login", target: "https://example.net/"},
	"text-target-mismatch/protected-address": {text: "service@paypal.com", target: "x@example.net"},
	"text-target-mismatch/url":               {text: "https://www.shop.com/sale", target: "https://example.net/"},
	"text-target-mismatch/address":           {text: "info@shop.com", target: "mailto:info@example.net"},
	"text-target-mismatch/protected-name":    {text: "Your paypal.com account", target: "https://example.net/"},
	"text-target-mismatch/same-name":         {text: "https://www.paypal.com/", target: "https://www.paypal.co/"},
	"text-target-mismatch/name":              {text: "Booking.org", target: "https://example.net/"},
	"text-target-mismatch/protected-page":    {text: "service@paypal.com", target: "https://example.net/"},
	"text-target-mismatch/address-page":      {text: "info@shop.com", target: "https://example.net/"},
	"text-target-mismatch/address-mentioned": {text: "anna@firm.com via List", target: "list@example.net"},
	"text-target-mismatch/click-counter":     {text: "www.shop.com", target: "https://shop.us1.list-manage.com/track/click?u=1"},
	"text-target-mismatch/label":             {label: "https://www.shop.com/sale", target: "https://example.net/"},
	"text-target-mismatch/passed-on":         {text: "https://www.shop.com/", target: "https://www.google.com/url?q=https://www.shop.com/&sa=D"},
}

// TestEveryVariantFires: for each row of the table, its situation has a finding with that severity
// and sentence. Each verb of the sentence gets a fact.
func TestEveryVariantFires(t *testing.T) {
	const maxLinkLen = 2000
	scanner, err := engine.New(engine.Options{Suspects: true, MaxLinkLen: maxLinkLen})
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge(t, policy.Options{Protected: []string{"ownexample.org", "ab-cde.org", "kestrelquix.org", "müllerwerke.org"}, Block: []string{"blocked.example.org"}, Correspondents: newContacts(alwaysWrittenTo("kupferwerk.org")), Lists: lines{
		"http://zone.example.org/":       {List: "dbl", Answer: "127.0.1.4", Label: "zone.example.org", Severity: policy.SeverityHigh},
		"http://listed.example.org/":     {List: "feed", Line: 12, Label: "listed.example.org", Severity: policy.SeverityHigh},
		"http://listed.example.com/page": {List: "feed", Line: 7, Label: "listed.example.com/page", IsURL: true, Severity: policy.SeverityHigh},
		"http://watched.example.org/":    {List: "watchlist", Line: 3, Label: "watched.example.org", Watch: true, Severity: policy.SeverityInfo},
	}})
	verb := regexp.MustCompile(`%[a-zA-Z]`)
	known := make(map[string]bool)
	for _, v := range policy.Variants() {
		key := string(v.Code) + "/" + v.Name
		if known[key] {
			t.Errorf("%s: two rows of that name", key)
		}
		known[key] = true
		t.Run(key, func(t *testing.T) {
			s, ok := situations[key]
			if !ok {
				t.Fatal("no example")
			}
			pattern := regexp.QuoteMeta(verb.ReplaceAllString(v.Text, "\x00"))
			sentence := regexp.MustCompile("^" + strings.ReplaceAll(pattern, "\x00", "[^%]+") + "$")
			findings := s.findings(t, scanner, j)
			for _, f := range findings {
				if f.Code == v.Code && f.Severity == v.Severity && sentence.MatchString(f.Detail) {
					return
				}
			}
			t.Errorf("%.200s: %+v, want %s %q", fmt.Sprint(s), findings, v.Severity, v.Text)
		})
	}
	for key := range situations {
		if !known[key] {
			t.Errorf("%s: no such variant", key)
		}
	}
}

// TestTable: the rows of a code stand together, the worst first, and have all fields.
func TestTable(t *testing.T) {
	seen := make(map[policy.Code]bool)
	var before policy.Variant
	for _, v := range policy.Variants() {
		switch {
		case v.Code == "" || v.Name == "" || v.Text == "" || v.Severity == policy.SeverityNone:
			t.Errorf("incomplete row %+v", v)
		case v.Code != before.Code && seen[v.Code]:
			t.Errorf("%s: the rows are not together", v.Code)
		case v.Code == before.Code && v.Severity > before.Severity:
			t.Errorf("%s: %s is worse than the row before", v.Code, v.Name)
		}
		seen[v.Code], before = true, v
	}
}
