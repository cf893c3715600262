package contentfilter

import (
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/envelope"
)

// xforwardNames are the attributes of Postfix's XFORWARD, which describe the original
// client.
var xforwardNames = []string{"NAME", "ADDR", "PORT", "PROTO", "HELO", "IDENT", "SOURCE"}

// xforwardUnknown is the value of an attribute that the client does not know.
const xforwardUnknown = "[UNAVAILABLE]"

// xforward holds the attributes of a transaction by name, in xtext as they came.
type xforward map[string]string

// with returns the attributes together with those of a command, and the reply to the command.
func (x xforward) with(args string) (xforward, reply) {
	fields := strings.Fields(args)
	if len(fields) == 0 {
		return x, newReply(501, "5.5.4", "XFORWARD needs attributes")
	}
	attributes := make(xforward, len(xforwardNames))
	maps.Copy(attributes, x)
	for _, field := range fields {
		name, value, found := strings.Cut(field, "=")
		name = strings.ToUpper(name)
		if !found || !slices.Contains(xforwardNames, name) {
			return x, newReply(501, "5.5.4", "Unknown XFORWARD attribute")
		}
		attributes[name] = value
	}
	return attributes, newReply(250, "2.0.0", "Ok")
}

// value returns an attribute, or "" if it is unknown or has characters that would break a line.
func (x xforward) value(name string) string {
	value := decodeXtext(x[name])
	if strings.EqualFold(value, xforwardUnknown) || strings.ContainsFunc(value, unicode.IsControl) {
		return ""
	}
	return value
}

// apply sets the original client in an envelope.
func (x xforward) apply(env *envelope.Envelope) {
	if len(x) == 0 {
		return
	}
	address := x.value("ADDR")
	if ascii.HasPrefixFold(address, "IPv6:") {
		address = address[len("IPv6:"):]
	}
	// An unknown address is not a local one, unless the message was made
	// on the client's own machine.
	env.Client = netip.Addr{}
	if parsed, err := netip.ParseAddr(address); err == nil {
		env.Client = parsed.Unmap()
	} else if strings.EqualFold(x.value("SOURCE"), "LOCAL") {
		env.Client = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	if ident := x.value("IDENT"); ident != "" {
		env.QueueID = ident
	}
}

// forwardTo sends those attributes to the next hop that it supports. Its reply does not matter to
// the message.
func (x xforward) forwardTo(h *hop) error {
	if len(x) == 0 || !h.offers("XFORWARD") {
		return nil
	}
	offered := strings.Fields(strings.ToUpper(h.extensions["XFORWARD"]))
	line := ""
	for _, name := range xforwardNames {
		value, ok := x[name]
		if !ok || !slices.Contains(offered, name) {
			continue
		}
		attribute := " " + name + "=" + value
		if len(line)+len(attribute) > maxXForward {
			if _, err := h.transact("XFORWARD", "XFORWARD"+line); err != nil {
				return err
			}
			line = ""
		}
		line += attribute
	}
	if line == "" {
		return nil
	}
	_, err := h.transact("XFORWARD", "XFORWARD"+line)
	return err
}

// maxXForward is the length of the attributes in a line: 512 bytes with the
// command and the line end.
const maxXForward = 512 - len("XFORWARD\r\n")

// decodeXtext decodes xtext (RFC 3461 §4). Other text stays unchanged.
func decodeXtext(s string) string {
	if !strings.Contains(s, "+") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '+' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
