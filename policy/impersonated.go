package policy

import "strings"

// impersonated has the domains that phishing imitates most: banks and payment,
// mail and accounts, parcels, shops, cryptocurrency, public services. A name is
// in the list only if it does not become a word of a language with accents, or
// with an i in place of an l. So honest domains are not near it.
var impersonated = []string{
	// Accounts, mail, networks.
	"adobe.com", "aliyun.com", "amazonaws.com", "aol.com", "apple.com", "atlassian.com", "bing.com", "cloudflare.com",
	"discord.com", "docusign.com", "dropbox.com", "facebook.com", "github.com", "gitlab.com", "gmail.com", "godaddy.com",
	"google.com", "googlemail.com", "hotmail.com", "icloud.com", "instagram.com", "linkedin.com", "mailchimp.com",
	"microsoft.com", "microsoftonline.com", "mozilla.org", "naver.com", "netflix.com", "office365.com", "onedrive.com",
	"openai.com", "oracle.com", "outlook.com", "pinterest.com", "protonmail.com", "reddit.com", "roblox.com",
	"salesforce.com", "sharepoint.com", "skype.com", "slack.com", "snapchat.com", "spotify.com", "steamcommunity.com",
	"steampowered.com", "telegram.org", "tiktok.com", "tumblr.com", "twitter.com", "twitch.tv", "vimeo.com", "web.de",
	"wechat.com", "whatsapp.com", "wikipedia.org", "wordpress.com", "yahoo.com", "youtube.com", "zendesk.com", "gmx.net",
	"yandex.ru", "vk.com", "t-online.de", "proton.me", "zoom.us",
	// Money.
	"americanexpress.com", "bankofamerica.com", "barclays.co.uk", "binance.com", "bitcoin.org", "blockchain.com",
	"bnpparibas.com", "capitalone.com", "citibank.com", "coinbase.com", "commerzbank.de", "credit-agricole.fr",
	"deutsche-bank.de", "dkb.de", "ethereum.org", "fidelity.com", "hsbc.com", "icicibank.com", "intesasanpaolo.com",
	"jpmorgan.com", "klarna.com", "kraken.com", "ledger.com", "lloydsbank.com", "mastercard.com", "metamask.io",
	"monzo.com", "myetherwallet.com", "natwest.com", "paypal.com", "payoneer.com", "postbank.de", "privatbank.ua",
	"raiffeisen.ch", "revolut.com", "robinhood.com", "sberbank.ru", "schwab.com", "societegenerale.fr", "sparkasse.de",
	"swedbank.se", "tinkoff.ru", "unicredit.it", "usbank.com", "volksbank.de", "wellsfargo.com", "westernunion.com",
	"hdfcbank.com", "onlinesbi.com", "intuit.com", "trezor.io",
	// Shops and travel.
	"airbnb.com", "alibaba.com", "aliexpress.com", "amazon.com", "bestbuy.com", "booking.com", "costco.com", "ebay.com",
	"expedia.com", "flipkart.com", "ikea.com", "mercadolibre.com", "rakuten.co.jp", "shopify.com", "taobao.com", "tesco.com",
	"tripadvisor.com", "uber.com", "walmart.com", "zalando.de",
	// Parcels, telephone, energy.
	"att.com", "bpost.be", "correos.es", "deutschepost.de", "dhl.com", "dpd.com", "fedex.com", "hermesworld.com",
	"laposte.fr", "royalmail.com", "swisscom.ch", "telekom.de", "t-mobile.com", "ups.com", "usps.com", "verizon.com",
	"vodafone.com",
	// Security, public services.
	"ameli.fr", "elster.de", "europa.eu", "gosuslugi.ru", "irs.gov", "kaspersky.com", "lastpass.com", "mcafee.com",
	"norton.com", "nvidia.com", "samsung.com", "okta.com",
}

// tenants has the domains of the list that give names to their customers. The
// rules judge the hosts below them, too.
var tenants = map[string]bool{
	"amazonaws.com": true, "atlassian.com": true, "salesforce.com": true, "sharepoint.com": true, "shopify.com": true,
	"tumblr.com": true, "wordpress.com": true, "zendesk.com": true,
}

// selfHosted has the domains of the list whose names are those of programs.
// Other people run these on hosts of the same name: "gitlab.de.example.com".
var selfHosted = map[string]bool{
	"atlassian.com": true, "gitlab.com": true, "oracle.com": true, "outlook.com": true, "sharepoint.com": true,
	"skype.com": true, "wordpress.com": true,
}

// ordinary has the names of the list that are words. Honest names have them
// together with lures: "booking-support".
var ordinary = map[string]bool{
	"att": true, "booking": true, "discord": true, "fidelity": true, "ledger": true, "oracle": true, "outlook": true,
	"slack": true, "ups": true, "web": true,
}

// honest has words of a language, and forms of them, that differ from a
// protected name by an accent alone: over, apple, family, session, proton, Europe
// and a private bank. The list has to have these names all the same.
var honest = map[string]bool{
	"ätt": true, "európa": true, "privátbank": true, "protón": true, "äpple": true, "über": true, "økta": true,
}

// lures has words that phishing adds to a name to ask for a password or a
// payment. The owners of the names use these words in paths and subdomains.
var lures = map[string]bool{
	"account": true, "accounts": true, "auth": true, "billing": true, "confirm": true, "id": true, "login": true,
	"logon": true, "password": true, "secure": true, "security": true, "signin": true, "support": true,
	"suspended": true, "unlock": true, "update": true, "verification": true, "verify": true, "wallet": true,
}

// hasLure reports whether one of lures is a part of the label between hyphens.
func hasLure(label string) bool {
	for part := range strings.SplitSeq(label, "-") {
		if lures[part] {
			return true
		}
	}
	return false
}
