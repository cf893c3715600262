package lists

import (
	"bytes"
	"errors"
	"strings"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// A kind says which links a line of a list is about.
type kind uint8

const (
	kindHost   kind = iota // the host itself
	kindTree               // the host and all hosts below it
	kindBelow              // all hosts below it, without itself
	kindPrefix             // the URL and those that continue its path
	kindURL                // the URL; without a query in the line, the URL with any query
	kinds
)

// salts give the same text a different key for each kind.
var salts = [kinds]uint64{0, 0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0xd6e8feb86659fd93}

// A key stands for a line in the index: it is a hash of the line's canonical text. That two lines
// of a list have the same key is too unlikely to matter.
type key uint64

func newKey(k kind, text []byte) key { return key(xxhash.Sum64(text) ^ salts[k]) }

var (
	errHost   = errors.New("not a host")
	errURL    = errors.New("not a URL of the web")
	errSuffix = errors.New("a public suffix, to which everybody's hosts belong")
)

// appendHost appends a host of a list as links have it: A-labels in lower case, without a final
// dot (UTS #46 and the URL standard, by package engine).
func appendHost(dst, text []byte) ([]byte, error) {
	if n := len(text); n > 0 && text[n-1] == '.' {
		text = text[:n-1]
	}
	start := len(dst)
	if isPlainHost(text) {
		for _, c := range text {
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			dst = append(dst, c)
		}
		return dst, nil
	}
	if len(text) == 0 || len(text) > 3*hostname.MaxName {
		return dst, errHost
	}
	if s := string(text); !strings.ContainsAny(s, "/?#@\\: \t") || strings.HasPrefix(s, "[") {
		if link, err := engine.ParseLink("http://" + s); err == nil && link.Kind == engine.KindURL {
			dst = append(dst, strings.TrimSuffix(link.ASCIIHost(), ".")...)
		}
	}
	// Browsers accept more characters than names in the DNS have.
	if host := string(dst[start:]); !strings.HasPrefix(host, "[") && (!hostname.IsDomain(host) || !strings.Contains(host, ".")) {
		return dst[:start], errHost
	}
	return dst, nil
}

// isPlainHost reports whether a text is a host whose canonical form is itself in lower case: an
// ASCII name without A-labels, which UTS #46 would check, and with a last label that is not a
// number, as in addresses.
func isPlainHost(text []byte) bool {
	if len(text) == 0 || len(text) > hostname.MaxName {
		return false
	}
	dots, label := 0, 0
	for i, c := range text {
		switch {
		case c == '.':
			if i == label || i-label > hostname.MaxLabel {
				return false
			}
			dots++
			label = i + 1
		case c == '-':
			// "xn--" begins A-labels.
			if i == label+3 && text[i-1] == '-' {
				return false
			}
		case !ascii.IsAlphanumeric(c) && c != '_':
			return false
		}
	}
	last := text[label:]
	return dots > 0 && len(last) > 0 && len(last) <= hostname.MaxLabel && (last[0] < '0' || last[0] > '9')
}

// isPublicSuffix reports whether anybody can have hosts below a host, as below co.uk, or pages at
// it, as at s3.us-east-2.amazonaws.com. Feeds list such hosts because of a single page there.
func isPublicSuffix(host []byte) bool {
	const mostDots = 4 // no suffix has more
	if bytes.Count(host, []byte(".")) > mostDots {
		return false
	}
	name := string(host)
	suffix, _ := publicsuffix.PublicSuffix(name)
	return suffix == name
}

// A place is where the parts of a URL end in its canonical text.
type place struct{ host, path int }

// appendURL appends the URL that a link opens without scheme, default port and fragment, in the
// form of the URL standard, with escapes of unreserved characters undone (RFC 3986 §6.2.2). It
// returns the ends of host and path.
func appendURL(dst []byte, link engine.Link) ([]byte, place) {
	start := len(dst)
	c := link.Components()
	dst = append(dst, strings.TrimSuffix(link.ASCIIHost(), ".")...)
	if port := c.Port; port != "" && port != "80" && port != "443" {
		dst = append(append(dst, ':'), port...)
	}
	at := place{host: len(dst) - start}
	path, query := c.Path, c.Query
	if !isPlainPath(path) || !isPlainPath(query) {
		if href := link.Href(); href != "" {
			path, query = partsOf(href)
		}
	}
	if path == "" {
		path = "/"
	}
	dst = appendUnescaped(dst, path)
	at.path = len(dst) - start
	if query != "" {
		dst = appendUnescaped(append(dst, '?'), query)
	}
	return dst, at
}

// isPlainPath reports whether browsers leave a path or query as it is.
func isPlainPath(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c <= ' ', c >= 0x7f, strings.IndexByte("\\\"<>`{}^|'", c) >= 0, c == '.' && i > 0 && s[i-1] == '/':
			return false
		case c == '%' && ascii.HasPrefixFold(s[i:], "%2e"): // an escaped dot may be a dot segment
			return false
		}
	}
	return true
}

// partsOf returns the path and the query of a serialised URL.
func partsOf(href string) (path, query string) {
	_, href, _ = strings.Cut(href, "://")
	href, _, _ = strings.Cut(href, "#")
	href, query, _ = strings.Cut(href, "?")
	if i := strings.IndexByte(href, '/'); i >= 0 {
		path = href[i:]
	}
	return path, query
}

// appendUnescaped appends a text with the escapes of unreserved characters undone, and the others
// in capitals.
func appendUnescaped(dst []byte, s string) []byte {
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		s = s[i:]
		var c byte
		valid := len(s) > 2
		if valid {
			c, valid = ascii.HexByte(s[1], s[2])
		}
		switch {
		case !valid:
			dst, s = append(dst, '%'), s[1:]
		case ascii.IsAlphanumeric(c), strings.IndexByte("-._~", c) >= 0:
			dst, s = append(dst, c), s[3:]
		default:
			const digits = "0123456789ABCDEF"
			dst, s = append(dst, '%', digits[c>>4], digits[c&15]), s[3:]
		}
	}
}

// Bounds of a lookup. A longer link is looked up only by its first parts.
const (
	maxLookups = 64
	maxURL     = 2 << 10
	maxLabels  = 16
)

// A lookup is one of the keys under which a line about a link may be.
type lookup struct {
	key  key
	kind kind
	from int // where the canonical text begins in the buffer
	to   int
}

// A target has all keys of a link. It is reused for the next link.
type target struct {
	text    []byte
	lookups []lookup
}

// set collects the keys of a link, the most exact first.
func (t *target) set(link engine.Link, wants [kinds]bool) {
	t.text, t.lookups = t.text[:0], t.lookups[:0]
	name := strings.TrimSuffix(link.ASCIIHost(), ".")
	if name == "" || len(name) > maxURL {
		return
	}
	if link.Kind == engine.KindURL && len(link.Text) <= maxURL && (wants[kindURL] || wants[kindPrefix]) {
		t.setURL(link, wants)
	}
	at := len(t.text)
	t.text = append(t.text, name...)
	end := len(t.text)
	t.add(kindHost, at, end, wants)
	t.add(kindTree, at, end, wants)
	if hostname.IsIP(name) || !wants[kindTree] && !wants[kindBelow] {
		return
	}
	for range maxLabels {
		dot := strings.IndexByte(name, '.')
		if dot < 0 {
			return
		}
		name = name[dot+1:]
		at += dot + 1
		t.add(kindTree, at, end, wants)
		t.add(kindBelow, at, end, wants)
	}
}

// setURL collects the keys of a link with its path: the keys of the whole URL, of the URL without
// the query, and of each beginning of the path.
func (t *target) setURL(link engine.Link, wants [kinds]bool) {
	var at place
	t.text, at = appendURL(t.text, link)
	end := len(t.text)
	t.add(kindURL, 0, end, wants)
	if at.path < end {
		t.add(kindURL, 0, at.path, wants)
	}
	if !wants[kindPrefix] {
		return
	}
	for i := at.path; i > at.host && len(t.lookups) < maxLookups/2; i-- {
		if i == at.path && t.text[i-1] != '/' || i < at.path && t.text[i] == '/' {
			t.add(kindPrefix, 0, i, wants)
		}
	}
	t.add(kindPrefix, 0, at.host, wants)
}

func (t *target) add(k kind, from, to int, wants [kinds]bool) {
	if wants[k] && len(t.lookups) < maxLookups {
		t.lookups = append(t.lookups, lookup{newKey(k, t.text[from:to]), k, from, to})
	}
}
