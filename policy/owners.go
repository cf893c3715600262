package policy

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// owners has the main domain of an owner by the other domains from which it
// sends mail or which shorten its links. A text that names the one for a target
// in the other does not mislead. Domains where other people can put a page or a
// link are missing.
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

// mailboxes has the domains of owners that give addresses to the public.
var mailboxes = map[string]bool{"gmail.com": true, "googlemail.com": true, "icloud.com": true, "outlook.com": true}

// sameOwner reports whether two registrable domains, A-labels, have the same
// owner. The target is in the domain opened. For an address in a domain of
// mailboxes, only the same domain counts.
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

// haveSameName reports whether two registrable domains differ only in their public
// suffix, like those of a company in several countries.
func haveSameName(a, b string) bool {
	nameA, _, _ := strings.Cut(a, ".")
	nameB, _, _ := strings.Cut(b, ".")
	return nameA == nameB && a != nameA && !hostname.IsIP(a) && !hostname.IsIP(b)
}

// pages has the protected domains that give pages to the public. A text that
// names such a page does not speak for the domain.
var pages = map[string]bool{
	"facebook.com": true, "github.com": true, "gitlab.com": true, "instagram.com": true, "linkedin.com": true, "pinterest.com": true,
	"reddit.com": true, "spotify.com": true, "telegram.org": true, "tiktok.com": true, "tumblr.com": true, "twitch.tv": true,
	"twitter.com": true, "vimeo.com": true, "wikipedia.org": true, "youtube.com": true,
}
