package engine

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// The oracle's version of the rule about the rest of a host, which the comment on goesOn states.

// underscores are those of ASCII and what UTS #46 maps to it.
const underscores = "_＿︳︴﹍﹎﹏"

// underscoredLabel matches the beginning of a rest that directly follows a host: dots, then
// underscores or an escape. Its groups are underscores, an escape, a character.
var underscoredLabel = func() *regexp.Regexp {
	var ignored strings.Builder
	for r := rune(utf8.RuneSelf); r <= utf8.MaxRune; r++ {
		if ucd.HostClassOf(r) == ucd.HostIgnored {
			ignored.WriteRune(r)
		}
	}
	i := ignored.String()
	return regexp.MustCompile(`^[.。．｡` + i + `]*([` + underscores + i + `]*)(?:(%[0-9A-Fa-f]{2})|[^` + underscores + i + `])`)
}()

// spaceless reports whether r is of a script without spaces. Characters that UTS #46 maps to ASCII
// do not count.
func spaceless(r rune) bool { return ucd.ScanOf(r).Spaceless() && !mapsToASCII[r] }

var mapsToASCII = func() map[rune]bool {
	profile := idna.New(idna.MapForLookup(), idna.StrictDomainName(false))
	in := make(map[rune]bool)
	for r := rune(utf8.RuneSelf); r <= utf8.MaxRune; r++ {
		if ucd.ScanOf(r).Spaceless() {
			s, err := profile.ToUnicode("a" + string(r) + "a")
			in[r] = err == nil && ascii.Is(s)
		}
	}
	return in
}()

// inRest reports whether the code point with the index i lies in a rest.
func (o *oracle) inRest(i int, url bool) bool {
	r := o.at(i)
	switch {
	case r < 0, ucd.LinkTermOf(r) == ucd.Hard && ucd.HostClassOf(r) == ucd.HostDisallowed, strings.ContainsRune(`/?#\:<>[]`, r):
		return false
	case url, o.isDot(i):
		return true
	}
	return !strings.ContainsRune("@|,;！（），：；？", r) && (r < 0x3001 || r > 0x301f) && !spaceless(r)
}

func (o *oracle) isEscape(i int) bool {
	return o.at(i) == '%' && i+3 <= len(o.cp) && ascii.IsHex(o.slice(i+1, i+2)[0]) && ascii.IsHex(o.slice(i+2, i+3)[0])
}

// inLabel reports whether the code point is part of a label in a rest.
func (o *oracle) inLabel(i int, url bool) bool {
	r := o.at(i)
	if !o.inRest(i, url) || o.isDot(i) {
		return false
	}
	if r < utf8.RuneSelf {
		return isLetterOrDigit(r) || r == '-' || r == '_'
	}
	class := ucd.HostClassOf(r)
	return strings.ContainsRune(underscores, r) || class != ucd.HostDisallowed && class != ucd.HostPunctuation
}

// continues reports whether the host that ends at the index i goes on behind it, and returns the
// end of the authority then.
func (o *oracle) continues(i int, url bool) (end int, ok bool) {
	ok = o.continuesAtOnce(i)
	end = i
	k := i
	whole := url // the label does not touch a mark
	for label := false; o.inRest(k, url); k++ {
		if !url && !ok && strings.ContainsRune(underscores, o.at(k)) && o.at(k) == '_' {
			return end, ok
		}
		if o.isEscape(k) {
			ok = ok || url
			end, label = k+3, true
			k += 2
			continue
		}
		if n, found := o.name(k+1, url); label && whole && o.isDot(k) && found {
			if !url && o.isLocalPart(k+1, n) {
				return end, ok
			}
			end, ok, whole = n, true, true
			k = n - 1
			continue
		}
		label = o.inLabel(k, url)
		switch {
		case o.isDot(k):
			whole = true
		case label:
			end = k + 1
		default:
			whole = url
		}
	}
	if ok && o.isInitiator(k) {
		end = k
	}
	return end, ok
}

func (o *oracle) continuesAtOnce(i int) bool {
	switch {
	case i >= len(o.cp), !o.isDot(i) && ucd.HostClassOf(o.at(i)) != ucd.HostIgnored && !strings.ContainsRune(underscores[1:], o.at(i)):
		return false
	}
	m := underscoredLabel.FindStringSubmatchIndex(o.text[o.off[i]:])
	if m == nil {
		return false
	}
	if m[4] >= 0 {
		return true
	}
	last := i
	for o.off[last+1] < o.off[i]+m[1] {
		last++
	}
	return strings.ContainsAny(o.text[o.off[i]+m[2]:o.off[i]+m[3]], underscores) && o.inLabel(last, false)
}

// name returns the end of the label at the index i that makes a host of what
// stands before it.
func (o *oracle) name(i int, url bool) (end int, ok bool) {
	end = i
	for o.inHost(end) && !o.isDot(end) {
		end++
	}
	if o.knows(i, end) {
		return end, true
	}
	for i < end && ucd.HostClassOf(o.at(i)) == ucd.HostIgnored {
		i++
	}
	isDigit := o.at(end+1) >= '0' && o.at(end+1) <= '9'
	local := slices.Contains(strings.Fields("alt example internal invalid local localhost onion test"), strings.ToLower(o.slice(i, end)))
	if r := o.at(i); url && isLetterOrDigit(r) && r > '9' && (o.isInitiator(end) || o.at(end) == ':' && isDigit || local) {
		return end, true
	}
	k := i
	for isLetterOrDigit(o.at(k)) || !url && o.at(k) == '-' {
		k++
	}
	return k, o.knows(i, k)
}

// nameEnd returns the end of a suspect without "//" that begins at the index start and whose
// name is from the index a to i.
func (o *oracle) nameEnd(start, a, i int) int {
	if port, ok := o.port(i); ok {
		i = port
	}
	return o.end(start, o.beforeURL(a, i))
}
