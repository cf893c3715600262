package policy

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// A linkHost is the host of a link in the three forms that the rules judge.
type linkHost struct {
	typed   string // as written in the text
	ascii   string // A-labels, lower case; "" if UTS #46 refuses the host
	unicode string // U-labels

	domain, domainUnicode string // the registrable domain in A-labels and U-labels, once it is known
	folded                string // the host with folded labels, likewise
}

// newLinkHost returns the host of a link, which is written in the text as typed. It decodes
// Punycode (RFC 3492), so that each rule sees U-labels.
func newLinkHost(l engine.Link, typed string) linkHost {
	h := linkHost{typed: typed, ascii: l.ASCIIHost()}
	if h.ascii == "" {
		h.unicode = hostname.Unicode(strings.ToLower(hostname.FullStops(typed)))
	} else {
		h.unicode = hostname.Unicode(h.ascii)
	}
	return h
}

// name returns the host in U-labels without a final dot.
func (h linkHost) name() string { return strings.TrimSuffix(h.unicode, ".") }

// registrable returns the registrable domain of the host in U-labels; "" if UTS #46
// refuses the host.
func (h linkHost) registrable() string {
	if h.ascii == "" || h.domainUnicode != "" {
		return h.domainUnicode
	}
	return h.withDomain().domainUnicode
}

// registrableUnicode returns the registrable domain of the host in U-labels.
func (h linkHost) registrableUnicode() string {
	name := h.name()
	for i, dots := len(name), strings.Count(h.domain, "."); ; dots-- {
		if i = strings.LastIndexByte(name[:i], '.'); i < 0 || dots == 0 {
			return name[i+1:]
		}
	}
}

// withDomain returns the host with the fields domain, domainUnicode and folded set.
func (h linkHost) withDomain() linkHost {
	h.folded = foldHost(h.name())
	if h.ascii == "" {
		return h
	}
	h.domain = hostname.Registrable(h.ascii)
	h.domainUnicode = h.domain
	if !ascii.Is(h.unicode) || strings.Contains(h.domain, "xn--") {
		h.domainUnicode = h.registrableUnicode()
	}
	return h
}

// foldedRegistrable returns the registrable domain with folded labels.
func (h linkHost) foldedRegistrable() string {
	folded := h.folded
	for skip := strings.Count(folded, ".") - strings.Count(h.domainUnicode, "."); skip > 0; skip-- {
		_, folded, _ = strings.Cut(folded, ".")
	}
	return folded
}

// maxHost is the length in bytes of the longest host whose labels the rules
// judge: 253 characters of up to four bytes. The DNS has no longer name.
const maxHost = 4 * 253

// isName reports whether the host is a name, not an IP address, and short
// enough for the rules that look at each label.
func (h linkHost) isName() bool { return !hostname.IsIP(h.ascii) && len(h.unicode) <= maxHost }

// labelsOf iterates over the labels of a host.
func labelsOf(name string) func(yield func(string) bool) {
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
