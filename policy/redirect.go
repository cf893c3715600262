package policy

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// wrappers has the hosts of services that open a URL which the link names. Hosts
// below them count, too. Mail systems put these services before links to check
// them, and sites put them before links to other sites.
var wrappers = map[string]bool{
	"safelinks.protection.outlook.com": true, "urldefense.com": true, "urldefense.proofpoint.com": true,
	"mimecast.com": true, "mimecastprotect.com": true, "linkprotect.cudasvc.com": true, "secure-web.cisco.com": true,
	"protection.sophos.com": true,
	"deref-gmx.net":         true, "deref-mail.com": true, "deref-web.de": true, "l.facebook.com": true, "l.instagram.com": true,
	"slack-redir.net": true,
}

// clickCounters has the hosts of services that send newsletters and count the
// clicks. Hosts below them count, too. Their links do not show their targets.
var clickCounters = map[string]bool{
	"awstrack.me": true, "cmail19.com": true, "cmail20.com": true, "constantcontact.com": true, "createsend.com": true,
	"createsend1.com": true, "customeriomail.com": true, "exacttarget.com": true, "hubspotemail.net": true, "hubspotlinks.com": true,
	"klclick.com": true, "klclick1.com": true, "list-manage.com": true, "mailchimp.com": true, "mailgun.org": true, "mailjet.com": true,
	"mandrillapp.com": true, "mjt.lu": true, "mlsend.com": true, "mlsend2.com": true, "rs6.net": true, "sendgrid.net": true,
	"sendibm1.com": true, "sendibt2.com": true, "sendibt3.com": true, "sfmc-content.com": true, "sparkpostmail.com": true,
	"sparkpostmail2.com": true, "substack.com": true,
}

// isBelow reports whether a host, A-labels, is in the set or below a host in it.
func isBelow(host string, set map[string]bool) bool {
	for host = strings.TrimSuffix(host, "."); !set[host]; {
		_, rest, ok := strings.Cut(host, ".")
		if !ok {
			return false
		}
		host = rest
	}
	return true
}

// passesOn reports whether the target is a link of a wrapper that opens the
// registrable domain.
func passesOn(target engine.Link, domain string) bool {
	host := target.ASCIIHost()
	c := target.Components()
	if !isBelow(host, wrappers) && (hostname.Registrable(host) != "google.com" || c.Path != "/url") {
		return false
	}
	if link, ok := nestedLink(c); ok {
		return hostname.Registrable(link.ASCIIHost()) == domain
	}
	// Mimecast names the domain alone.
	for parameter := range strings.SplitSeq(c.Query, "&") {
		if name, ok := strings.CutPrefix(parameter, "domain="); ok {
			return hostname.Registrable(strings.ToLower(name)) == domain
		}
	}
	return false
}
