package policy

import (
	"strings"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// A linkHost is the host of a link in the three forms that the rules judge.
type linkHost struct {
	typed   string // as written in the text
	ascii   string // A-labels, lower case; "" if UTS #46 refuses the host
	unicode string // U-labels
}

// newLinkHost returns the host of a link that has it as typed. It decodes
// Punycode (RFC 3492), so that each rule sees U-labels.
func newLinkHost(l engine.Link, typed string) linkHost {
	h := linkHost{typed: typed, ascii: l.ASCIIHost()}
	switch {
	case h.ascii == "":
		h.unicode = decodePunycode(strings.ToLower(withFullStops(typed)))
	case strings.Contains(h.ascii, acePrefix):
		h.unicode = decodePunycode(h.ascii)
	default:
		h.unicode = h.ascii
	}
	return h
}

// name returns the host in U-labels without a final dot.
func (h linkHost) name() string { return strings.TrimSuffix(h.unicode, ".") }

// maxHost is the length in bytes of the longest host whose labels the rules
// judge: 253 characters of up to four bytes. The DNS has no longer name.
const maxHost = 4 * 253

// isName reports whether the host is a name, not an IP address, and short
// enough for the rules that look at each label.
func (h linkHost) isName() bool { return !hostname.IsIP(h.ascii) && len(h.unicode) <= maxHost }

// acePrefix begins an A-label (RFC 5890 §2.3.2.1).
const acePrefix = "xn--"

// withFullStops returns the host with its separators of labels as full stops
// (UTS #46 §2.3).
func withFullStops(host string) string {
	if ascii.Is(host) {
		return host
	}
	return labelDots.Replace(host)
}

// labelDots replaces these separators with full stops.
var labelDots = strings.NewReplacer("\u3002", ".", "\uff0e", ".", "\uff61", ".")

// decodePunycode returns a host, which is in lower case, with U-labels in place
// of its A-labels. An A-label with broken Punycode stays.
func decodePunycode(name string) string {
	if !strings.Contains(name, acePrefix) {
		return name
	}
	var decoded strings.Builder
	for label := range labelsOf(name) {
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
