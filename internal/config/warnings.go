package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/report"
)

// review warns of valid values that may not have the expected effect. It checks only
// keys that the document sets to other values than the defaults.
func (r *reader) review(f *File) {
	r.reviewRules(f)
	r.reviewDates(f)
	r.reviewHosts(f)
	unset := Default()
	for _, key := range Changes(&unset, f) {
		table, _, _ := strings.Cut(key, ".")
		if r.has(key) && !r.troubled(table) {
			if text := idle(f, table, key); text != "" {
				r.warn(key, "no effect %s", text)
			}
		}
	}
	const unaligned = "policy.severity." + string(report.CodeUnalignedLink)
	if len(f.Header.Authserv) == 0 && r.has(unaligned) {
		r.warn(unaligned, "no effect without results of authentication (want header.authserv_ids)")
	}
	if a := &f.Admin; a.Renderings > 0 && a.Listen != "" && !a.asksPassword() && !a.IsSocket() {
		r.warn("admin.renderings", "%d: every account of this machine can read these messages (want admin.password, or unix:/path in admin.listen)", a.Renderings)
	}
	if f.Service.DryRun {
		r.warn("service.dry_run", "true: linkmilter changes no message (want false after the trial)")
	}
	r.reviewSigning(f)
	if !r.troubled("limits") && !r.troubled("content_filter") {
		r.reviewLimits(f)
	}
}

// reviewSigning warns of mail that goes on unsigned although there are keys.
func (r *reader) reviewSigning(f *File) {
	if len(f.DKIM.Keys) == 0 || r.troubled("dkim") {
		return
	}
	if f.DKIM.EightBit == string(mailauth.EightBitLeave) {
		r.warn("dkim.eight_bit", "%q: messages with bytes above 127 are neither edited nor signed (want \"sign\")", f.DKIM.EightBit)
	}
	relays := func(u rule.Rule) bool { return u.SignRelayed }
	if len(f.ContentFilter.Listen) > 0 && !r.troubled("rule") && !slices.ContainsFunc(f.Rules, relays) {
		r.warn("content_filter.listen", "mail in the SMTP path is not signed, since it was relayed (want sign_relayed = true in a trusted rule)")
	}
}

// idle names the other key without which a key has no effect, or "".
func idle(f *File, table, key string) string {
	switch {
	case table == "milter" && key != "milter.listen" && len(f.Milter.Listen) == 0:
		return "without an address to listen on (want milter.listen, or serve --milter)"
	case strings.HasPrefix(key, "milter.socket_") && !listensOnSocket(f.Milter.Listen):
		return "without a Unix socket (want unix:/path in milter.listen)"
	case table == "content_filter" && key != "content_filter.listen" && len(f.ContentFilter.Listen) == 0:
		return "without an address to listen on (want content_filter.listen, or serve --smtp)"
	case strings.HasPrefix(key, "content_filter.socket_") && !listensOnSocket(f.ContentFilter.Listen):
		return "without a Unix socket (want unix:/path in content_filter.listen)"
	case strings.HasPrefix(key, "content_filter.quarantine_") && f.ContentFilter.Quarantine == "":
		return "without a Maildir (want content_filter.quarantine)"
	case table == "digest" && f.ContentFilter.Quarantine == "":
		return "without a Maildir (want content_filter.quarantine)"
	case table == "digest" && !f.Digest.IsSent():
		return "without a reader (want digest.to or digest.users)"
	case key == "digest.server_tls" && f.Digest.Server == "":
		return "without a server (want digest.server)"
	case table == "http" && key != "http.listen" && len(f.HTTP.Listen) == 0:
		return "without an address to listen on (want http.listen, or serve --http)"
	case strings.HasPrefix(key, "http.socket_") && !listensOnSocket(f.HTTP.Listen):
		return "without a Unix socket (want unix:/path in http.listen)"
	case table == "dkim" && key != "dkim.key" && len(f.DKIM.Keys) == 0:
		return "without a key (want [[dkim.key]])"
	case table == "dns" && key != "dns.list" && len(f.DNS.Lists) == 0:
		return "without a list (want [[dns.list]])"
	case strings.HasPrefix(key, "admin.history_") && f.Admin.History == "":
		return "without a file (want admin.history)"
	case (key == "correspondents.days" || key == "correspondents.valkey") && f.Correspondents.File == "":
		return "without a file (want correspondents.file)"
	case strings.HasPrefix(key, "admin.socket_") && !f.Admin.IsSocket():
		return "without a Unix socket (want unix:/path in admin.listen)"
	case key == "admin.hosts" && f.Admin.Listen == "":
		return "without an address to listen on (want admin.listen)"
	case (key == "tlds.url" || key == "tlds.every") && !f.TLDs.Refresh:
		return "without fetching the list (want tlds.refresh = true)"
	}
	return ""
}

func listensOnSocket(addresses []string) bool {
	return slices.ContainsFunc(addresses, func(address string) bool {
		network, _, err := mailserver.ParseAddr(mailserver.WithScheme(address))
		return err == nil && network == "unix"
	})
}

// reviewLimits warns of limits that cannot be reached because of another limit.
func (r *reader) reviewLimits(f *File) {
	l, c := &f.Limits, &f.ContentFilter
	for _, pair := range []struct {
		key          string
		beyond       bool
		value, limit fmt.Stringer
		meaning      string
	}{
		{"limits.header", l.Header > l.Message, l.Header, l.Message, "limits.message"},
		{"limits.growth", l.Growth > l.Result, l.Growth, l.Result, "limits.result"},
		{"limits.result", l.Result > l.Message+l.Growth, l.Result, l.Message + l.Growth, "limits.message and limits.growth together"},
		// A text with one byte per character becomes at most three times as long in UTF-8.
		{"limits.text", l.Text > 3*l.Message, l.Text, 3 * l.Message, "three times limits.message"},
		{"content_filter.content_timeout", c.Content > c.Message, c.Content, c.Message, "content_filter.message_timeout"},
	} {
		if pair.beyond && r.has(pair.key) {
			r.warn(pair.key, "%q: never reached (want less than %q: %s)", pair.value, pair.limit, pair.meaning)
		}
	}
	if l.Depth > l.Parts && r.has("limits.depth") {
		r.warn("limits.depth", "number %d: never reached (want less than %d: limits.parts)", l.Depth, l.Parts)
	}
	if c.MaxSize > 0 && c.MaxSize < l.Message && r.has("limits.message") && len(f.Milter.Listen) == 0 {
		r.warn("limits.message", "%q: never reached (want less than %q: content_filter.max_size)", l.Message, c.MaxSize)
	}
}
