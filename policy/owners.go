package policy

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
)

// owners are domains of the owners of protected ones, by which these send mail
// and shorten their own links: text that names one for a target in the other
// misleads nobody. Where anybody can put a page or a link is none of them.
var owners = map[string]string{
	"a.co": "amazon.com", "amazon-adsystem.com": "amazon.com", "amzn.eu": "amazon.com", "amzn.to": "amazon.com",
	"apple.co": "apple.com", "apple.news": "apple.com", "icloud.com": "apple.com", "itunes.com": "apple.com",
	"ebay.to":          "ebay.com",
	"facebookmail.com": "facebook.com", "fb.com": "facebook.com", "messenger.com": "facebook.com", "meta.com": "facebook.com",
	"github.blog": "github.com",
	"c.gle":       "google.com", "g.co": "google.com", "gmail.com": "google.com", "googlemail.com": "google.com",
	"ig.me":  "instagram.com",
	"aka.ms": "microsoft.com", "microsoft365.com": "microsoft.com", "microsoftonline.com": "microsoft.com",
	"office365.com": "microsoft.com", "outlook.com": "microsoft.com",
	"netflix.net":              "netflix.com",
	"paypal-communication.com": "paypal.com",
	"spoti.fi":                 "spotify.com", "spotify.link": "spotify.com",
	"x.com":        "twitter.com",
	"whatsapp.net": "whatsapp.com",
	"youtu.be":     "youtube.com", "youtube-nocookie.com": "youtube.com",
	"zoom.com": "zoom.us",
}

// mailboxes are domains of owners at which anybody can have an address.
var mailboxes = map[string]bool{"gmail.com": true, "googlemail.com": true, "icloud.com": true, "outlook.com": true}

// sameOwner reports whether a registrable domain, A-labels, is known to be of the
// owner of what a target in another one opens.
func sameOwner(domain, opened string, target engine.Link) bool {
	if domain == opened || target.Kind == engine.KindEmail && mailboxes[opened] {
		return domain == opened
	}
	owner := func(domain string) string {
		if o, ok := owners[domain]; ok {
			return o
		}
		return domain
	}
	return owner(domain) == owner(opened)
}

// sameName reports whether two registrable domains differ only in their public
// suffix, as those of a company in several countries do.
func sameName(a, b string) bool {
	nameA, _, _ := strings.Cut(a, ".")
	nameB, _, _ := strings.Cut(b, ".")
	return nameA == nameB && a != nameA && !isIP(a) && !isIP(b)
}

// pages are protected domains on which everybody has a page: a text that names
// such a page does not speak for the domain.
var pages = map[string]bool{
	"facebook.com": true, "github.com": true, "gitlab.com": true, "instagram.com": true, "linkedin.com": true, "pinterest.com": true,
	"reddit.com": true, "spotify.com": true, "telegram.org": true, "tiktok.com": true, "tumblr.com": true, "twitch.tv": true,
	"twitter.com": true, "vimeo.com": true, "wikipedia.org": true, "youtube.com": true,
}
