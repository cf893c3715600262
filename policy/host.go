package policy

import (
	"strings"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/engine"
)

// A host is the host of a link in the forms that are judged.
type host struct {
	typed   string // as it is in the text
	ascii   string // A-labels, lower case; "" where UTS #46 refuses the host
	unicode string // U-labels
}

// maxHost is the length in octets of the longest host whose labels are judged:
// no name that the DNS takes is longer in U-labels.
const maxHost = 4 * 253

// newHost returns the host of a link, which it has as typed. Punycode is
// decoded here, first, so that no rule ever sees an A-label in place of what
// it stands for.
func newHost(l engine.Link, typed string) host {
	h := host{typed: typed, ascii: l.ASCIIHost()}
	switch {
	case h.ascii == "":
		h.unicode = decode(strings.ToLower(withFullStops(typed)))
	case strings.Contains(h.ascii, acePrefix):
		h.unicode = decode(h.ascii)
	default:
		h.unicode = h.ascii
	}
	return h
}

// acePrefix begins an A-label (RFC 5890 §2.3.2.1).
const acePrefix = "xn--"

// withFullStops maps the label separators of UTS #46 §2.3 to the full stop.
func withFullStops(host string) string {
	if isASCII(host) {
		return host
	}
	return labelDots.Replace(host)
}

// labelDots are those separators, each with the full stop.
var labelDots = strings.NewReplacer("\u3002", ".", "\uff0e", ".", "\uff61", ".")

// decode returns a host in lower case with those A-labels decoded that can be:
// all of a host that UTS #46 accepts, and of one that it refuses as much as
// possible.
func decode(name string) string {
	if !strings.Contains(name, acePrefix) {
		return name
	}
	var decoded strings.Builder
	for label := range labels(name) {
		if decoded.Len() > 0 {
			decoded.WriteByte('.')
		}
		if strings.HasPrefix(label, acePrefix) {
			if u, err := idna.Punycode.ToUnicode(label); err == nil {
				label = u
			}
		}
		decoded.WriteString(label)
	}
	return decoded.String()
}

// host judges the name of a host, label by label and as a whole.
func (g *judgement) host(h host) {
	name := strings.TrimSuffix(h.unicode, ".")
	top := lastLabel(name)
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
