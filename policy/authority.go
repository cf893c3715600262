package policy

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// suspectReasons has the variant for each reason that makes a suspect (see engine.Reason). A
// suspect whose reason is missing here is still judged by the other rules.
var suspectReasons = map[engine.Reason]variant{
	engine.ReasonEmptyLabel:  emptyLabel,
	engine.ReasonUnderscore:  underscore,
	engine.ReasonInvalidHost: invalidCharacter,
	engine.ReasonHyphen:      invalidHyphen,
	engine.ReasonInvalidIDNA: refusedByIDNA,
}

// judgeAuthority runs the rules for the authority of a link (RFC 3986 §3.2),
// apart from those for the labels of a name. c and h are the components and the
// host of the link, tlds the top-level domains that exist.
func judgeAuthority(out *collector, l engine.Link, c engine.Components, h linkHost, tlds *tld.Set) {
	if l.Kind != engine.KindEmail {
		out.note(userinfo(l, c, tlds))
	}
	isEscaped := strings.Contains(h.typed, "%") && h.ascii != "" && h.ascii[0] != '['
	if isEscaped {
		out.noteHost(escapedHost.finding(h.typed))
	}
	switch l.Reason {
	case engine.ReasonInvalidHost, engine.ReasonHyphen:
		// Browsers decode a host before they judge it, as in http://w%77%77.example.com.
		if isEscaped && strings.IndexFunc(h.ascii, isNotOfName) < 0 || isTemplate(h.typed) || isQuoted(h.typed, tlds) {
			break
		}
		if host := percent.Decode(h.typed); strings.Contains(host, " {") {
			out.noteHost(refusedByBrowsers.finding(h.typed)) // "{anna} {at} {example.org}": no program opens it (WHATWG URL, "forbidden host code point")
			break
		}
		fallthrough
	default:
		out.noteHost(suspectReasons[l.Reason].finding(h.typed))
	}
	out.noteHost(hiddenCharacter(h))
	if hostname.IsIP(h.ascii) && !isVersion(l, c, h) {
		out.noteHost(addressHost(h))
		return
	}
	switch tooLong := len(h.unicode) > maxHost || isTooLong(h.ascii); {
	case tooLong, l.Reason == engine.ReasonTooLong && h.ascii == "":
		out.noteHost(longHost.finding(h.typed))
	case l.Reason == engine.ReasonTooLong:
		out.noteHost(longLink.finding(h.typed))
	}
	out.noteHost(topLevel(hostname.LastLabel(h.unicode), tlds))
}

// isTemplate reports whether a host is a placeholder in documentation or source code. All of it or
// its first label is a variable or asterisks: "$host", "%s", "***.com", "${name}.example.com". Such
// a host cannot be registered. If a domain follows the placeholder, the host belongs to the owner
// of that domain.
func isTemplate(host string) bool {
	first, domain, ok := strings.Cut(host, ".")
	switch {
	case !ascii.Is(host) || percent.Decode(host) != host:
		return false
	case !ok:
		return true
	case strings.IndexFunc(domain, isNotOfHost) >= 0:
		return false
	case strings.HasPrefix(first, "$"):
		return strings.Contains(strings.TrimRight(domain, "."), ".")
	}
	return first != "" && strings.Trim(first, "*") == ""
}

// isQuoted reports whether a host as typed has no top-level domain and ends with a mark that ends a
// quotation or a line: "`http://service.namespace.svc`", "http://www.exam-".
func isQuoted(host string, tlds *tld.Set) bool {
	name := strings.TrimRightFunc(host, func(r rune) bool { return unicode.In(r, unicode.P, unicode.S) })
	if name == host || strings.LastIndexByte(host[len(name):], '.') > 0 || strings.Contains(name, "..") || strings.IndexFunc(name, isNotOfHost) >= 0 {
		return false
	}
	top := hostname.LastLabel(name)
	return top != "" && !tlds.Contains(top) && !ascii.IsDigit(top[0]) // a number may be an address
}

// isNotOfHost reports whether r is not an ASCII character of a host.
func isNotOfHost(r rune) bool {
	return r >= utf8.RuneSelf || !ascii.IsAlphanumeric(byte(r)) && r != '-' && r != '.'
}

// isNotOfName is isNotOfHost, but accepts the underscore, which names in use have.
func isNotOfName(r rune) bool { return r != '_' && isNotOfHost(r) }

// isVersion reports whether the domain of an address is a number: "express@4.18.2" is a version of a
// package. Only URLs have IP addresses in other spellings (RFC 5321 §4.1.3).
func isVersion(l engine.Link, c engine.Components, h linkHost) bool {
	return isMail(l, c) && h.ascii[0] != '[' && strings.TrimSuffix(h.typed, ".") != h.ascii
}

// isMail reports whether a link is an e-mail address, or a suspect that opens a mail program.
func isMail(l engine.Link, c engine.Components) bool {
	return l.Kind == engine.KindEmail || strings.EqualFold(c.Scheme, "mailto")
}

// addressHost reports an IP address in place of a name, and one in an unusual
// spelling, such as 0xc0000201 (WHATWG URL, "IPv4 parser") and [::ffff:c000:201].
func addressHost(h linkHost) Finding {
	if a, err := netip.ParseAddr(strings.Trim(h.ascii, "[]")); err == nil && a.Is4In6() {
		return unusualAddress.finding(h.typed, a.Unmap().String())
	}
	if h.ascii[0] == '[' || strings.TrimSuffix(h.typed, ".") == h.ascii {
		return addressAsHost.finding(h.typed)
	}
	return unusualAddress.finding(h.typed, h.ascii)
}

// isTooLong reports whether a host, A-labels, is too long for a DNS query.
func isTooLong(host string) bool {
	host = strings.TrimSuffix(host, ".")
	if len(host) > hostname.MaxName {
		return true
	}
	if len(host) <= hostname.MaxLabel {
		return false
	}
	for label := range labelsOf(host) {
		if len(label) > hostname.MaxLabel {
			return true
		}
	}
	return false
}

// topLevel reports a top-level domain that tlds does not have.
func topLevel(top string, tlds *tld.Set) Finding {
	switch {
	case tlds.Contains(top) || top == "":
		return Finding{}
	case len(top) < 2 || strings.Trim(top, "0123456789") == "":
		return impossibleTLD.finding(top)
	}
	return noSuchTLD.finding(top)
}

// userinfo reports a user name or password before the host (RFC 3986 §3.2.1). The worst are a user
// name that reads as a host or has one in it, and a backslash in front of the "@": browsers end the
// host at the backslash, other programs begin it after the "@".
func userinfo(l engine.Link, c engine.Components, tlds *tld.Set) Finding {
	if authority, _, _ := strings.Cut(c.Path, "/"); strings.HasPrefix(authority, `\`) && strings.Contains(authority, "@") {
		return backslashBeforeAt.finding(c.Host + authority)
	}
	name, _, _ := strings.Cut(c.Userinfo, ":")
	hosts := hostsIn(name, tlds)
	switch {
	case c.Userinfo == "" && l.Reason != engine.ReasonUserinfo:
		return Finding{}
	case c.Scheme == "" || strings.EqualFold(c.Scheme, "mailto"): // the user name is the local-part of an address
		return Finding{}
	case strings.Contains(c.Userinfo, `"`) && isLabel(l.ASCIIHost()):
		return Finding{} // JSON: "@id":"https://example.org","@type":"Person"
	case name == "":
		return emptyUser.finding("@" + c.Host)
	case len(hosts) > 0 && hosts[0] != name && areOf(hosts, hostname.Registrable(l.ASCIIHost())):
		return sameHostAsUser.finding(name)
	case len(hosts) > 0:
		return hostAsUser.finding(name)
	case c.Scheme == "ftp" && name == "anonymous", codeHosts[strings.ToLower(c.Host)], isWordAsHost(l, c):
		return anonymousUser.finding(name)
	}
	return anyUser.finding(name)
}

// isLabel reports whether a host is a single label, and no number that is an address.
func isLabel(host string) bool {
	return host != "" && !strings.Contains(host, ".") && !hostname.IsIP(host)
}

// isWordAsHost reports whether the host of a link is a word that is not a site, as in
// "http://user:password@host:port/".
func isWordAsHost(l engine.Link, c engine.Components) bool {
	return isLabel(cmp.Or(l.ASCIIHost(), c.Host)) && ascii.Is(c.Host) && percent.Decode(c.Host) == c.Host
}

// codeHosts are sites of source code. People copy URLs with their user name from them to get the
// code.
var codeHosts = map[string]bool{"bitbucket.org": true, "dev.azure.com": true, "github.com": true, "gitlab.com": true}

// hostsIn returns the pieces of a user name that can be hosts.
func hostsIn(name string, tlds *tld.Set) (hosts []string) {
	if name == "" {
		return nil
	}
	between := func(r rune) bool {
		if r < utf8.RuneSelf {
			return !ascii.IsAlphanumeric(r) && r != '.' && r != '-'
		}
		class := ucd.HostClassOf(r)
		return class == ucd.HostDisallowed || class == ucd.HostPunctuation
	}
	for _, piece := range strings.FieldsFunc(hostname.FullStops(name), between) {
		if piece = strings.Trim(piece, ".-"); strings.Contains(piece, ".") && tlds.Contains(hostname.LastLabel(piece)) {
			hosts = append(hosts, piece)
		}
	}
	return hosts
}

// areOf reports whether all hosts of a user name, as typed, are the domain or below it. A text without
// spaces such as "https://example.com，mail：info@example.com" then opens the site that it names.
func areOf(hosts []string, domain string) bool {
	return domain != "" && !slices.ContainsFunc(hosts, func(host string) bool {
		return hostname.Registrable(strings.ToLower(host)) != domain
	})
}

// hiddenCharacter reports the first character of the host as typed that UTS #46 removes or refuses
// and that a reader does not see. It misleads readers, and programs that do not map the host.
func hiddenCharacter(h linkHost) Finding {
	if ascii.Is(h.typed) {
		return Finding{}
	}
	for i, r := range h.typed {
		switch {
		case r == zeroWidthSpace && isBetweenLetters(h.typed, i):
			return wordBreakInHost.finding(h.typed, r)
		case isJoiner(r):
		case ucd.IsBidiControl(r):
			return controlInHost.finding(h.typed, r)
		case ucd.IsDefaultIgnorable(r):
			return invisibleInHost.finding(h.typed, r)
		}
	}
	return Finding{}
}

// zeroWidthSpace separates words in scripts without spaces.
const zeroWidthSpace = 0x200b

// withoutSpaces has these scripts.
var withoutSpaces = ucd.Scripts(ucd.ScriptKhmr, ucd.ScriptLaoo, ucd.ScriptMymr, ucd.ScriptThai)

// isBetweenLetters reports whether the zero width space at i in s is between letters of
// scripts without spaces.
func isBetweenLetters(s string, i int) bool {
	before, after := neighbours(s, i, zeroWidthSpace)
	return isOf(before, withoutSpaces) && isOf(after, withoutSpaces)
}

// isScheme reports whether a link is only a scheme that a text mentions. Punctuation follows it,
// and perhaps a word without a space: "http://、", "https://-prefix".
func isScheme(c engine.Components) bool {
	if c.Scheme == "" || c.Userinfo != "" || c.Host == "" {
		return false
	}
	word := strings.TrimLeftFunc(c.Host, endsScheme)
	return word != c.Host && strings.IndexFunc(word, isNotOfWord) < 0
}

// endsScheme reports whether r directly after a scheme shows that no host follows. Full stops and
// symbols that are mapped to letters may be in a host. In right-to-left texts a direction mark
// follows a scheme.
func endsScheme(r rune) bool {
	if r < utf8.RuneSelf {
		return !ascii.IsAlphanumeric(byte(r)) && strings.IndexByte(".[%\\/", byte(r)) < 0
	}
	switch class := ucd.HostClassOf(r); {
	case class == ucd.HostSeparator, class == ucd.HostMapped && unicode.Is(unicode.So, r):
		return false
	}
	return unicode.In(r, unicode.P, unicode.So) || strings.ContainsRune("\u061c\u200e\u200f", r)
}

// isNotOfWord reports whether r is neither a letter, a mark nor a hyphen.
func isNotOfWord(r rune) bool { return r != '-' && !unicode.In(r, unicode.L, unicode.M) }
