package policy

import (
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/internal/hostname"
)

// brandText returns the text of the list of brands.
func brandText(t *testing.T) string {
	t.Helper()
	text, err := listFiles.ReadFile("lists/brands.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestBrandList: each line has a name, domains and named sources. No domain has two owners, and a
// name that two owners share needs a second sign.
func TestBrandList(t *testing.T) {
	sources := make(map[string]bool)
	for line := range strings.Lines(brandText(t)) {
		if rest, ok := strings.CutPrefix(line, "source "); ok {
			name, about, _ := strings.Cut(rest, " ")
			date, about, _ := strings.Cut(about, " ")
			if _, err := time.Parse(time.DateOnly, date); err != nil || strings.TrimSpace(about) == "" || sources[name] {
				t.Errorf("%q: not a source with a date and a description", line)
			}
			sources[name] = true
		}
	}
	set := brands()
	hasDomain := make(map[uint16]bool)
	for i, d := range set.domains {
		hasDomain[d.owner] = true
		if i > 0 && set.domains[i-1].domain == d.domain {
			t.Errorf("%s: at %s and %s", d.domain, set.owners[d.owner].name, set.owners[set.domains[i-1].owner].name)
		}
		name, suffix := strings.CutPrefix(d.domain, ".")
		if hostname.Registrable(name) != name || suffix && hostname.Registrable("a."+name) != "a."+name {
			t.Errorf("%s of %s: not a registrable domain, or not a public suffix: %q", d.domain, set.owners[d.owner].name, hostname.Registrable(name))
		}
		if a, err := idna.Lookup.ToASCII(name); err != nil || a != name {
			t.Errorf("%s: not in A-labels: %q, %v", d.domain, a, err)
		}
	}
	for i, n := range set.names {
		if i > 0 && set.names[i-1].key == n.key {
			other := set.names[i-1]
			if other.owner == n.owner || !other.word || !n.word {
				t.Errorf("name %s: at %s and %s, without the mark", n.key, set.owners[n.owner].name, set.owners[other.owner].name)
			}
		}
	}
	for i, o := range set.owners {
		if !hasDomain[uint16(i)] || brandKey(o.name) == "" {
			t.Errorf("%s in %s: no domain or no name", o.name, o.section)
		}
		if o.sources == "" {
			t.Errorf("%s: no source", o.name)
		}
		for source := range strings.FieldsSeq(o.sources) {
			if !sources[source] {
				t.Errorf("%s: unknown source %s", o.name, source)
			}
		}
	}
	t.Logf("%d owners, %d names, %d domains", len(set.owners), len(set.names), len(set.domains))
	if len(set.owners) < 900 || len(sources) < 10 {
		t.Errorf("%d owners, %d sources", len(set.owners), len(sources))
	}
}

// TestShortBrandNamesNeedASign: a Latin name of one or two letters needs a second sign.
func TestShortBrandNamesNeedASign(t *testing.T) {
	set := brands()
	for line := range strings.Lines(brandText(t)) {
		fields := strings.Split(line, "|")
		if len(fields) != 4 || strings.HasPrefix(line, "#") {
			continue
		}
		for name := range strings.SplitSeq(fields[0]+";"+fields[1], ";") {
			letters := 0
			for _, r := range name {
				if unicode.IsLetter(r) || unicode.IsDigit(r) {
					letters++
					if r > unicode.MaxASCII {
						letters += 2
					}
				}
			}
			if name = strings.TrimSpace(name); name != "" && letters < 3 && !strings.HasSuffix(name, "?") && !strings.Contains(name, "&") {
				t.Errorf("%s: shorter than three letters, without the mark", name)
			}
		}
	}
	for _, word := range []string{"Apple", "Zoom", "Chase", "Orange", "Target", "Visa", "Ledger", "Discover", "Shell", "Next", "Boots", "Caixa", "Vivo", "Claro", "Oi", "Correios", "Meta", "Wise", "UPS"} {
		for _, n := range set.named(word) {
			if !n.word {
				t.Errorf("%s of %s: a word without the mark", word, set.owners[n.owner].name)
			}
		}
		if len(set.named(word)) == 0 {
			t.Errorf("%s: not in the list", word)
		}
	}
}

// TestBrandsAreNamed: a name is found in other cases, with other accents, spaces and letter shapes,
// and leads to its owner.
func TestBrandsAreNamed(t *testing.T) {
	set := brands()
	for text, domain := range map[string]string{
		"PayPal": "paypal.com", "pay pal": "paypal.com", "РауРаl": "paypal.com", "PAYPAL": "paypal.com", "Crypto.com": "crypto.com",
		"Credit Agricole": "credit-agricole.fr", "Crédit Agricole": "credit-agricole.fr", "Banco do Brasil": "bb.com.br", "ITAU": "itau.com.br",
		"Banco.Bradesco": "bradesco.com.br", "T-Online": "t-online.de", "T Online": "t-online.de", "三井住友カード": "smbc-card.com",
		"楽天": "rakuten.co.jp", "국세청": "nts.go.kr", "微信": "wechat.com", "Сбербанк": "sberbank.ru", "Нова Пошта": "novaposhta.ua",
		"البنك الأهلي المصري": "nbe.com.eg", "भारतीय स्टेट बैंक": "sbi.co.in", "ธนาคารกสิกรไทย": "kasikornbank.com", "ΕΛΤΑ": "elta.gr",
		"Türkiye İş Bankası": "isbank.com.tr", "E-ZPass": "e-zpassny.com", "SunPass": "sunpass.com", "at&t": "att.com", "İşbank": "isbank.com.tr",
		"Ledger Live": "ledger.com", "MetaMask": "metamask.io", "Mercado Pago": "mercadopago.com.br", "Receita Federal": "rfb.gov.br", "Serasa": "serasa.com.br",
	} {
		d, ok := set.domain(domain)
		found := false
		for _, n := range set.named(text) {
			found = found || n.owner == d.owner
		}
		if !ok || !found {
			t.Errorf("%s: not a name of the owner of %s", text, domain)
		}
	}
	for _, text := range []string{"", " ", "Peter Miller", "Newsletter", "HM", "Example"} {
		if n := set.named(text); len(n) > 0 {
			t.Errorf("%q: a name of %s", text, set.owners[n[0].owner].name)
		}
	}
}

// TestBrandOwners: all domains of an owner belong to it, and no domain of another owner does.
func TestBrandOwners(t *testing.T) {
	for _, pair := range []string{
		"paypal.com paypal.de", "t-online.de telekom.de", "gmail.com googlemail.com", "amzn.to amazon.co.uk", "we.tl wetransfer.com",
		"amex.com americanexpress.com", "facebook.com whatsapp.com", "mercadolivre.com.br mercadopago.com", "hotmail.com microsoft.com", "hmrc.gov.uk dvla.gov.uk",
	} {
		a, b, _ := strings.Cut(pair, " ")
		if !brands().sameOwner(a, b) || !brands().sameOwner(b, a) {
			t.Errorf("%s: two owners", pair)
		}
	}
	for _, pair := range []string{"paypal.com amazon.com", "paypal.com paypal.example", "example.com example.com", "raiffeisen.ch raiffeisen.at", "rfb.gov.br example.gov.br", "com.br co.uk"} {
		a, b, _ := strings.Cut(pair, " ")
		if brands().sameOwner(a, b) {
			t.Errorf("%s: one owner", pair)
		}
	}
	for domain, want := range map[string][2]bool{"gmail.com": {true, false}, "sharepoint.com": {false, true}, "icloud.com": {true, true}, "paypal.com": {false, false}} {
		if d, ok := brands().domain(domain); !ok || d.mailboxes != want[0] || d.pages != want[1] {
			t.Errorf("%s: mailboxes %v, pages %v", domain, d.mailboxes, d.pages)
		}
	}
}

// TestBrandListErrors: a line that breaks the rules at the head of the list is an error.
func TestBrandListErrors(t *testing.T) {
	for _, text := range []string{"A | | a.example | hand", "[x]\nA | a.example | hand", "[x]\nA | | a.{example | hand"} {
		if _, err := parseBrands(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// TestBrandMemory: the list takes at most 2 MB: its text in the program, and what is made of it.
func TestBrandMemory(t *testing.T) {
	const limit = 2 << 20
	text := brandText(t)
	least := 0
	for range 3 { // take the least of three, since other tests leave garbage
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		set, err := parseBrands(text)
		if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if read := int(after.HeapAlloc) - int(before.HeapAlloc); least == 0 || read < least {
			least = read
		}
		runtime.KeepAlive(set)
	}
	t.Logf("list: %d bytes; read: %d bytes", len(text), least)
	if least <= 0 || len(text)+least > limit {
		t.Errorf("%d bytes and %d read, want at most %d", len(text), least, limit)
	}
}

// BenchmarkBrands measures the reading of the list, and a look-up in it.
func BenchmarkBrands(b *testing.B) {
	text, err := listFiles.ReadFile("lists/brands.txt")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			if _, err := parseBrands(string(text)); err != nil {
				b.Fatal(err)
			}
		}
	})
	set := brands()
	b.Run("named", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			set.named("Banco do Brasil")
		}
	})
	b.Run("sameOwner", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			set.sameOwner("amzn.to", "amazon.de")
		}
	})
}

// TestBrandsAgree: the other lists do not contradict the list of brands about a domain.
func TestBrandsAgree(t *testing.T) {
	set := brands()
	for domain := range impersonated.All() {
		d, ok := set.domain(domain)
		pages := impersonated.Marked(domain, markPages) || impersonated.Marked(domain, markTenants)
		if !ok || impersonated.Marked(domain, markMailboxes) && !d.mailboxes || pages && !d.pages {
			t.Errorf("%s: in the list of brands %v, with mailboxes %v, pages %v", domain, ok, d.mailboxes, d.pages)
		}
	}
	for domain, value := range owners.All() {
		owner, mark, _ := strings.Cut(value, " ")
		if mark != markSenders && !set.sameOwner(domain, owner) {
			t.Errorf("%s of %s: not of one owner in the list of brands", domain, owner)
		}
	}
	for name, domain := range otherNames.All() {
		d, _ := set.domain(domain)
		found := false
		for _, n := range set.named(name) {
			found = found || n.owner == d.owner
		}
		if !found {
			t.Errorf("%s: not a name of the owner of %s in the list of brands", name, domain)
		}
	}
}
