package policy

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
)

// worstOf returns the severity of the worst finding about a host.
func worstOf(t *testing.T, j *Judge, host string) Severity {
	t.Helper()
	link, err := engine.ParseLink("https://" + host + "/")
	if err != nil {
		t.Fatal(err)
	}
	return j.Link(link).Worst()
}

// TestBrandNamesWithWords: the name of a brand with a word of phishing, in the languages of its country, is a finding.
func TestBrandNamesWithWords(t *testing.T) {
	j, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for host := range strings.FieldsSeq(`
		bradesco-login.com bradescologin.com bradesc0-login.com correios-pagamento.com correiospagamento.com pagamento-nubank.com.br nubank-cartao.com
		mercadolivre-entrega.com mercado-livre-pagamento.net itau-seguranca.com posteitaliane-accesso.com laposte-colis.info secure-santander.net
		hdfcbank-kyc.net commbank-alert24.net auspost-redelivery.com 24-login-bradesco.com my-bradesco-account.com
		bradesco-login.example.net nubankseguranca.weebly.com soundcloud-login.com zillow-payment.com brádesco-login.com bradesco-lоgin.com bradesсo-pagamento.com сбербанк-вход.рф 楽天-支払い.jp`) {
		if worst := worstOf(t, j, host); worst < SeverityMedium {
			t.Errorf("%s: %s", host, worst)
		}
	}
}

// TestBrandNamesWithErrors: the name of a brand with a typing error is a finding below the suffix of the owner and .com,
// and for a long name below any other.
func TestBrandNamesWithErrors(t *testing.T) {
	j, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for host := range strings.FieldsSeq(`bradescoo.com.br bradeco.com.br bradecso.com bradesc0.com.br mercadolivree.com mercadolirve.net santandr.com tokopedla.com
		carrefuor.com`) {
		if worst := worstOf(t, j, host); worst < SeverityMedium {
			t.Errorf("%s: %s", host, worst)
		}
	}
}

// TestHonestNamesBesideBrands: hosts of owners, words beside words of phishing, and names of others are honest.
func TestHonestNamesBesideBrands(t *testing.T) {
	j, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for host := range strings.FieldsSeq(`bradesco.com.br bradesco.com banco.bradesco paypal-support.com adyenpayments.com boschsecurity.com applecard.apple connexion-mabanque.bnpparibas
		shopeepay.co.id volkswagen-group.com mercedes-benz.hr sunexpress.com swissport.com applebank.com booking-support.com androidupdate.com
		bradesco-fans.com nubankcommunity.com orangetree.com citizen.com paymentexpress.com cloudpayments.ru mobilewallet.cards secureinternetbank.com
		transfermarkt.co.uk discoverbank.com playbill.com soundcloud.cloud 1password-fans.net bradesco-login.zendesk.com bradesco-login.bradesco.com.br
		bradesco.example.net login.bradesco.example.net`) {
		if worst := worstOf(t, j, host); worst >= SeverityMedium {
			t.Errorf("%s: %s", host, worst)
		}
	}
}

// addedByCountry has words that phishing adds in the languages of a country.
var addedByCountry = map[string]string{
	"br": "pagamento fatura boleto rastreio entrega acesso cadastro seguranca atendimento cartao", "de": "rechnung zahlung anmeldung kundenservice sendung sicherheit",
	"fr": "facture paiement connexion livraison colis remboursement", "nl": "betaling factuur pakket bezorging inloggen verificatie", "it": "pagamento fattura accesso spedizione",
	"es": "pago factura acceso envio paquete verificacion", "mx": "pago factura acceso envio", "pl": "platnosc faktura przesylka logowanie", "cz": "platba zasilka prihlaseni",
	"tr": "odeme giris kargo", "ru": "oplata dostavka kabinet", "id": "pembayaran masuk hadiah", "vn": "thanhtoan dangnhap", "se": "betalning leverans inloggning", "hu": "fizetes szamla csomag",
}

// TestAddedWords: of the names of brands and of popular sites with a word of phishing before or behind them, at least
// 95 % have a finding of medium or above. Words of a language and short names may be honest.
func TestAddedWords(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	j, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	english := strings.Fields("login secure account verify payment invoice support service update delivery tracking refund billing portal signin confirm alert customer help online security notification wallet parcel unlock")
	forms := map[string][4]string{"brand": {"N-W", "W-N", "NW", "WN"}, "popular site": {"N-W", "W-N", "N-W-24", "my-N-W"}}
	names := map[string][]struct{ name, suffix, country string }{}
	set := brandNames()
	for _, o := range brands().owners {
		name, suffix, _ := strings.Cut(o.domain, ".")
		if n := set.find([]byte(shapeOf(name))); len(name) >= minBrandGlued && !strings.HasPrefix(name, "xn--") && n != nil && !n.ordinary && !n.popular {
			names["brand"] = append(names["brand"], struct{ name, suffix, country string }{name, suffix, o.section[:2]})
		}
	}
	sites := popularSites()
	for i := range len(sites.starts) - 1 {
		name, suffix, _ := strings.Cut(sites.domain(i), ".")
		if n := set.find([]byte(shapeOf(name))); ascii.Is(name) && len(name) >= minPopularGlued && n != nil && n.popular && !n.ordinary {
			names["popular site"] = append(names["popular site"], struct{ name, suffix, country string }{name, suffix, ""})
		}
	}
	for kind, all := range names {
		found, tried := 0, 0
		var missed []string
		for _, n := range all {
			words := slices.Concat(english, strings.Fields(addedByCountry[n.country]))
			for _, form := range forms[kind] {
				label := strings.NewReplacer("N", n.name, "W", words[random.IntN(len(words))]).Replace(form)
				host := label + "." + []string{n.suffix, "com", "net", "info"}[random.IntN(4)]
				if popularSites().has(host) || isHonestName(label) {
					continue
				}
				tried++
				if worstOf(t, j, host) >= SeverityMedium {
					found++
				} else {
					missed = append(missed, host)
				}
			}
		}
		t.Logf("%s: %d of %d, missed %.400s", kind, found, tried, strings.Join(missed, " "))
		if found*100 < tried*95 || tried < 3000 {
			t.Errorf("%s: only %d of %d", kind, found, tried)
		}
	}
}

// TestHonestNeighboursOfBrands: of the hosts that honest people give a name with that of a brand in it at most 2 % have
// a finding of medium or above.
func TestHonestNeighboursOfBrands(t *testing.T) {
	j, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	forms := strings.Fields("N-fans.com hotel-N.com Nverlag.de Nblog.net theNguide.com N-club.de Nhistory.org friendsofN.org N-museum.org Nbooks.co.uk N-tours.org N.example.org N-deals.info")
	tried := 0
	var flagged []string
	for _, o := range brands().owners {
		name, _, _ := strings.Cut(o.domain, ".")
		if len(name) < minBrandGlued || strings.HasPrefix(name, "xn--") {
			continue
		}
		for _, form := range forms {
			tried++
			if host := strings.ReplaceAll(form, "N", name); worstOf(t, j, host) >= SeverityMedium {
				flagged = append(flagged, host)
			}
		}
	}
	t.Logf("%d of %d: %.600s", len(flagged), tried, strings.Join(flagged, " "))
	if tried < 10000 || len(flagged)*50 > tried {
		t.Errorf("%d of %d are of medium or above", len(flagged), tried)
	}
}

// TestBrandNamesMemory: the names of brands and popular sites, with their typing errors, take less than 1 MB.
func TestBrandNamesMemory(t *testing.T) {
	const limit = 1 << 20
	set := brandNames()
	size := len(set.text) + len(set.names)*int(unsafe.Sizeof(brandName{})) + len(set.errors)*int(unsafe.Sizeof(typedName{})) + 8*(bitsOfNames+bitsOfErrors)
	t.Logf("%d names, %d of typing errors, %d bytes", len(set.names), len(set.errors), size)
	if size > limit {
		t.Errorf("%d bytes, want at most %d", size, limit)
	}
}
