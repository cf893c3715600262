package filter

import (
	"bytes"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
)

// traceFields are the beginnings of the names of fields that servers and filters write on the
// way. Programs show no URLs of them, and filters quote there what they found.
var traceFields = []string{
	"Received", "X-Received", "ARC-", "Authentication-Results", "DKIM-", "DomainKey-", "X-Google-", "X-Linkmilter", "X-Spam-", "X-Rspamd-", "X-Amavis-", "X-Virus-",
	"X-MS-Exchange-", "X-Microsoft-", "X-Forefront-",
}

// mayOpen reports whether programs may show or open a URL in a field that has no rule of its
// own. raw is the field as written.
func mayOpen(name string, raw []byte) bool {
	if !bytes.Contains(raw, []byte("//")) && !bytes.Contains(raw, []byte("=?")) && !bytes.Contains(raw, []byte("www.")) {
		return false
	}
	for _, prefix := range traceFields {
		if ascii.HasPrefixFold(name, prefix) {
			return false
		}
	}
	return true
}

// isAny is true for every link.
func isAny(engine.Link) bool { return true }

// isTyped reports whether a link is written as a URL: with a scheme or "www.".
func isTyped(link engine.Link) bool {
	c := link.Components()
	return link.Kind != engine.KindEmail && (c.Scheme != "" || ascii.HasPrefixFold(c.Host, "www."))
}
