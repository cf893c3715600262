package policy

import (
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// Other programs end a link before some characters at which UTS #58 goes on, and begin another
// after them: https://example.com/a(example.net is two links to them. This file finds the names
// that they link in this way.

const (
	breaks      = "\"(<>[{`\\|^"        // characters of ASCII in a path, query or fragment that end a link
	localBreaks = "!#$%&'*+/=?\\^`{|}~" // those in a local-part that may end a host or begin one
)

// addBroken adds the hosts in a link that follow characters at which other programs end it. If they
// end the link at its host or earlier, it adds every host after that.
func (u *innerURLs) addBroken(l *engine.Link, host string, c *engine.Components, tlds *tld.Set) {
	head := len(l.Head(len(l.Text)).Text)
	from := len(l.Text) // from here on each host counts, also without such a character in front of it
	switch {
	case l.Kind == engine.KindEmail:
		// Some programs do not link the address.
		if local := c.Userinfo; strings.IndexByte(local, '.') >= 0 && (strings.ContainsAny(local, localBreaks) || !ascii.Is(l.Text) || hasALabelLast(c.Host)) {
			u.addNames(local, 0, tlds)
		}
		from = head
	case l.Kind == engine.KindSuspect && host == "":
		head = min(head, len(c.Scheme))
		from = head
	case l.Kind == engine.KindSuspect && strings.Trim(c.Port, "0123456789") != "":
		head -= len(c.Port) // other programs end the link before a port that is not a number
		from = head
	case l.Kind == engine.KindSuspect && c.Scheme != "" && strings.ContainsAny(c.Userinfo, breaks):
		u.addNames(c.Userinfo, 0, tlds)
		from = head
	case endsAtHost(l, l.Text[:head], host, c, tlds):
		from = head
	}
	u.addNames(l.Text[head:], from-head, tlds)
}

// endsAtHost reports whether some programs end a link before its path, or do not link its host.
// Such a host has a final dot or an empty port, has a top-level domain that they do not know, is an
// IPv6 address, or belongs to an e-mail address. head is the link up to its port.
func endsAtHost(l *engine.Link, head, host string, c *engine.Components, tlds *tld.Set) bool {
	bare := c.Scheme == ""
	switch {
	case strings.HasSuffix(host, "."), strings.HasSuffix(head, ":"):
		return true
	case bare && (hasALabelLast(c.Host) || hostname.IsIP(host) || ascii.EqualFold(hostname.LastLabel(host), "onion")):
		return true
	case strings.HasPrefix(host, "["), bare && c.Port != "" && !ascii.Is(c.Host):
		return true
	case l.Kind == engine.KindSuspect && !ascii.Is(c.Host), bare && strings.ContainsFunc(c.Host, isSign):
		return true
	}
	return l.Kind == engine.KindSuspect && (!tlds.Contains(hostname.LastLabel(host)) || bare && strings.IndexByte(head, '@') >= 0)
}

// hasALabelLast reports whether a host as typed has a top-level domain in A-labels.
func hasALabelLast(host string) bool { return ascii.HasPrefixFold(hostname.LastLabel(host), "xn--") }

// addNames adds the names of hosts and addresses in a text that have a top-level domain. A name
// must follow a break or a scheme without slashes, or begin at the offset from or later.
func (u *innerURLs) addNames(text string, from int, tlds *tld.Set) {
	dot := strings.IndexByte(text, '.')
	if dot < 0 {
		return // true for most links
	}
	from = min(from, firstBreak(text))
	for at, tried := 0, 0; dot >= 0 && tried < maxInner; dot = strings.IndexByte(text[at:], '.') {
		dot += at
		start := dot - len(trailingName(text[at:dot]))
		at = dot + len(leadingName(text[dot:]))
		if start < from && !endsInScheme(text[:start]) {
			continue
		}
		for name := range strings.SplitSeq(text[start:at], "@") {
			for name := range strings.SplitSeq(name, "..") {
				u.addName(upToTLD(strings.Trim(name, "-._"), tlds))
			}
		}
		tried++
	}
}

// upToTLD returns a name up to its last top-level domain, or "". The domain may be a whole label,
// or the start of a label in front of a hyphen or non-ASCII character.
func upToTLD(name string, tlds *tld.Set) string {
	for name != "" {
		last := hostname.LastLabel(name)
		if tlds.Contains(last) {
			return name
		}
		start := len(strings.TrimSuffix(name, ".")) - len(last)
		i := strings.IndexFunc(last, func(r rune) bool { return r == '-' || r >= utf8.RuneSelf })
		if i > 0 && tlds.Contains(last[:i]) {
			return name[:start+i]
		}
		name = name[:max(0, start-1)]
	}
	return ""
}

// firstBreak returns the offset of the first character of a text in front of which other programs
// end a link, or the length of the text. Such a character is a break, a sign, the first of two
// question marks, or an apostrophe with punctuation after it.
func firstBreak(text string) int {
	for i, r := range text {
		switch {
		case r >= utf8.RuneSelf:
			if isSign(r) {
				return i
			}
		case strings.IndexByte(breaks, byte(r)) >= 0,
			r == '?' && strings.HasPrefix(text[i+1:], "?"),
			r == '\'' && i+1 < len(text) && strings.IndexByte(notInHosts, text[i+1]) >= 0:
			return i
		}
	}
	return len(text)
}

// endsInScheme reports whether a text ends in a scheme that other programs link without slashes.
func endsInScheme(text string) bool {
	for _, scheme := range [...]string{"http:", "https:", "ftp:"} {
		if ascii.HasSuffixFold(text, scheme) {
			return true
		}
	}
	return false
}
