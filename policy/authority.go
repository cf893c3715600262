package policy

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/engine/ucd"
)

// reasons are the findings that follow from why a suspect is no link
// (engine.Reason). A reason that is missing says nothing about safety.
var reasons = map[engine.Reason]struct {
	code     Code
	severity Severity
	detail   string
}{
	engine.ReasonEmptyLabel:  {CodeInvalidIDNA, SeverityMedium, "the host has an empty label"},
	engine.ReasonUnderscore:  {CodeInvalidIDNA, SeverityLow, "the host has an underscore"},
	engine.ReasonInvalidHost: {CodeInvalidIDNA, SeverityMedium, "the host has a character that no host may have"},
	engine.ReasonHyphen:      {CodeInvalidIDNA, SeverityMedium, "a label has a hyphen where none may be"},
	engine.ReasonInvalidIDNA: {CodeInvalidIDNA, SeverityMedium, "UTS #46 refuses the host"},
}

// authority judges what a link says between its scheme and its path, apart
// from the labels of a name.
func (g *judgement) authority(l engine.Link, c engine.Components, h host) {
	if l.Kind != engine.KindEmail {
		g.userinfo(l, c)
	}
	if strings.Contains(h.typed, "%") && h.ascii != "" && h.ascii[0] != '[' {
		g.addHost(CodeOverEscaped, SeverityMedium, h.typed, "the host is percent-escaped")
	}
	if r, ok := reasons[l.Reason]; ok {
		g.addHost(r.code, r.severity, h.typed, r.detail)
	}
	g.hidden(h)
	if isIP(h.ascii) {
		g.address(h)
		return
	}
	if l.Reason == engine.ReasonTooLong || len(h.unicode) > maxHost || isTooLong(h.ascii) {
		g.addHost(CodeTooLong, SeverityLow, h.typed, "the host is too long for the DNS")
	}
	g.topLevel(lastLabel(h.unicode))
}

// address judges an IP address in place of a name.
func (g *judgement) address(h host) {
	if h.ascii[0] == '[' || strings.TrimSuffix(h.typed, ".") == h.ascii {
		g.addHost(CodeIPHost, SeverityLow, h.typed, "an IP address in place of a name")
		return
	}
	g.addHost(CodeObfuscatedIP, SeverityHigh, h.typed, "an IPv4 address in an unusual spelling: "+h.ascii)
}

// The limits of the DNS in octets (RFC 1035 §2.3.4); that of a name is for its
// text form, without a final dot.
const (
	maxDNSLabel = 63
	maxDNSName  = 253
)

// isTooLong reports whether a host, A-labels, cannot be looked up.
func isTooLong(ascii string) bool {
	ascii = strings.TrimSuffix(ascii, ".")
	if len(ascii) > maxDNSName {
		return true
	}
	if len(ascii) <= maxDNSLabel {
		return false
	}
	for label := range labels(ascii) {
		if len(label) > maxDNSLabel {
			return true
		}
	}
	return false
}

// topLevel judges a top-level domain.
func (g *judgement) topLevel(top string) {
	switch {
	case g.judge.tlds.Contains(top) || top == "":
	case len(top) < 2 || strings.Trim(top, "0123456789") == "":
		g.addHost(CodeInvalidTLD, SeverityLow, top, "no top-level domain can be one letter or a number")
	default:
		g.addHost(CodeUnknownTLD, SeverityLow, top, "no such top-level domain")
	}
}

// userinfo judges a user name or password before the host: worst where the name
// reads as a host itself, also if only its beginning does, and where a
// backslash stands before the "@". Browsers end the host at that, other
// programs begin it after the "@".
func (g *judgement) userinfo(l engine.Link, c engine.Components) {
	if authority, _, _ := strings.Cut(c.Path, "/"); strings.HasPrefix(authority, `\`) && strings.Contains(authority, "@") {
		g.add(CodeUserinfo, SeverityHigh, c.Host+authority, "a backslash before the @: programs differ about the host")
		return
	}
	name, _, _ := strings.Cut(c.Userinfo, ":")
	switch {
	case c.Userinfo == "" && l.Reason != engine.ReasonUserinfo:
	case c.Scheme == "" || strings.EqualFold(c.Scheme, "mailto"): // the local-part of an address
	case name == "":
		g.add(CodeUserinfo, SeverityMedium, "@"+c.Host, "an empty user name before the host")
	case g.holdsHost(name):
		g.add(CodeUserinfo, SeverityHigh, name, "a user name that reads as a host, before the host")
	case c.Scheme == "ftp" && name == "anonymous":
		g.add(CodeUserinfo, SeverityLow, name, "a user name before the host")
	default:
		g.add(CodeUserinfo, SeverityMedium, name, "a user name before the host")
	}
}

// holdsHost reports whether a piece of a user name could be a host.
func (g *judgement) holdsHost(name string) bool {
	between := func(r rune) bool {
		if r < utf8.RuneSelf {
			return !isAlphanumeric(r) && r != '.' && r != '-'
		}
		class := ucd.HostClassOf(r)
		return class == ucd.HostDisallowed || class == ucd.HostPunctuation
	}
	for _, piece := range strings.FieldsFunc(labelDots.Replace(name), between) {
		if piece = strings.Trim(piece, ".-"); strings.Contains(piece, ".") && g.judge.tlds.Contains(lastLabel(piece)) {
			return true
		}
	}
	return false
}

// hidden reports characters of the host as typed that mapping for UTS #46
// takes away or refuses: they are in the text to mislead a reader, or a
// program that does not map.
func (g *judgement) hidden(h host) {
	if isASCII(h.typed) {
		return
	}
	for _, r := range h.typed {
		switch {
		case isJoiner(r):
		case ucd.IsBidiControl(r):
			g.addHost(CodeBidiControl, SeverityHigh, h.typed, fmt.Sprintf("%U in a host", r))
			return
		case ucd.IsDefaultIgnorable(r):
			g.addHost(CodeInvisibleCharacter, SeverityMedium, h.typed, fmt.Sprintf("%U in a host", r))
			return
		}
	}
}

// lastLabel returns the last label of a host, a final dot aside.
func lastLabel(host string) string {
	host = strings.TrimSuffix(host, ".")
	return host[strings.LastIndexByte(host, '.')+1:]
}

// isIP reports whether a host in ASCII form is an IP address: IPv6 in
// brackets, or IPv4, since no top-level domain ends in a digit's label.
func isIP(ascii string) bool {
	if strings.HasPrefix(ascii, "[") {
		return true
	}
	top := lastLabel(ascii)
	return top != "" && strings.Trim(top, "0123456789") == ""
}
