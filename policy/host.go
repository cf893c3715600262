package policy

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
)

// A host is the host of a link in the forms that are judged.
type host struct {
	typed   string // as it is in the text
	ascii   string // A-labels, lower case; "" where UTS #46 refuses the host
	unicode string // U-labels
}

// newHost returns the host of a link. Punycode is decoded here, first, so
// that no rule ever sees an A-label in place of what it stands for.
func newHost(l engine.Link) host {
	h := host{typed: l.Components().Host, ascii: l.ASCIIHost()}
	h.unicode = h.ascii
	if h.ascii == "" || strings.Contains(h.ascii, acePrefix) {
		h.unicode = l.UnicodeHost()
	}
	return h
}

// acePrefix begins an A-label (RFC 5890 §2.3.2.1).
const acePrefix = "xn--"

// host judges a host.
func (g *judgement) host(h host) {
	name := strings.TrimSuffix(h.unicode, ".")
	top := name[strings.LastIndexByte(name, '.')+1:]
	for label := range labels(name) {
		if !isASCII(label) {
			g.label(label, top)
		}
	}
	g.lookalikes(name, h)
}

// labels iterates over the labels of a host.
func labels(name string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for more := true; more; {
			var label string
			label, name, more = strings.Cut(name, ".")
			if !yield(label) {
				return
			}
		}
	}
}

// isASCII reports whether all octets of s are ASCII.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
