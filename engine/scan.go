package engine

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// A scan is the state of scanning one text. It looks for links around five kinds
// of triggers: the full stop in a bare host, its two kinds of non-ASCII variants, the
// "@" of an e-mail address and the ":" of a scheme. It skips the text between them.
type scan struct {
	hostFinder
	suspects   bool // Options.Suspects
	maxLinkLen int  // Options.MaxLinkLen
	isASCII    bool // the text has no character beyond ASCII

	// done is the end of the latest link, or of text that holds none. No link begins
	// before it.
	done int

	// The next trigger of each kind, at or after done; len(text) without one.
	dot     int // U+002E
	colon   int // ":" before "//", or before other slashes and a digit, or of isPlainColon
	back    int // ":" before a backslash; colon is at or before it. Only text in ASCII uses it.
	at      int // "@"
	stop    int // U+3002, the ideographic full stop: E3 80 82
	fullDot int // U+FF0E and U+FF61, full- and half-width: EF BC 8E, EF BD A1

	openStack brackets

	leftoverState
}

// A leftoverState finds suspects in the text between links, in which detection refused a
// host because of the text around it: "//host", "http:host", "_x.host", "host%". Other
// programs make links of such hosts, so they are suspects, judged by the host alone.
type leftoverState struct {
	lastEnd int        // the end of the latest link or suspect
	refused [8]refusal // the texts since then that are not links
	count   int        // of them

	// The search in the refused texts.
	current   int // the text
	unread    int // where it goes on
	labels    looseLabels
	named     int       // where nextColon goes on
	behind    namedHost // what it found there; zero for nothing
	end       int       // the start of the next link, or the end of the text
	isAhead   bool      // ahead is set
	symbols   int       // the end of labels with symbols that have no top-level domain
	onlyNames bool      // the search leaves out what namedHost finds
	ahead     Link      // the link behind; of KindNone at the end of the text
}

// looseLabels are labels with dots between them, text[from:to], in which looseHost goes on.
// Other programs make a link of the name text[host:end], and of IPv4 addresses beside it. If
// host is before from, looseHost looks for the next name before the last one.
type looseLabels struct {
	from, host, end, to int
	last, lastEnd       int // the last name
	plain               int // the end of a text in which only names in ASCII are left
}

// A namedHost is what other programs take for the host of a URL because of its scheme, as offsets.
type namedHost struct {
	start, end int  // the host; empty for mailto: without an "@"
	linkStart  int  // where the scheme begins
	linkEnd    int  // behind the host, or behind the local-part
	glued      bool // it is the number that gluedNumber finds
}

// A refusal is a text[from:to] that looks like a host or like a URL of another scheme, but is not
// a link. If wide is true, it may have dots beyond ASCII only, or none.
type refusal struct {
	from, to int
	wide     bool
}

// refuse notes that text[from:to] looks like a host, but is not a link: see refusal. Without room
// for another text it makes the last one longer. It joins the texts behind the offset from.
func (sc *scan) refuse(from, to int, wide bool) {
	for ; sc.count > 0 && from < sc.refused[sc.count-1].from; sc.count-- {
		last := sc.refused[sc.count-1]
		to, wide = max(to, last.to), wide || last.wide
	}
	switch last := len(sc.refused) - 1; {
	case !sc.suspects:
	case sc.count <= last:
		sc.refused[sc.count] = refusal{from, to, wide}
		sc.count++
	default:
		sc.refused[last].to = max(sc.refused[last].to, to)
		sc.refused[last].wide = sc.refused[last].wide || wide
	}
}

// isBehindSyntax reports whether the label that begins at the offset a and ends with a dot
// before the offset p is behind a character of a URL, not of a sentence.
func (sc *scan) isBehindSyntax(a, p int) bool {
	return a > 0 && strings.IndexByte(`/\_%@:[`, sc.text[a-1]) >= 0 && p-a <= maxLooseLabel
}

// maxLooseLabel is the length in bytes of the longest label before a dot beyond ASCII for
// which the scan looks for a host that it has refused.
const maxLooseLabel = 256

// mayBeBehindSyntax is true if isBehindSyntax is for a label that ends at the offset p.
func (sc *scan) mayBeBehindSyntax(p int) bool {
	i := p
	for i > sc.done && p-i <= maxLooseLabel && byteClass[sc.text[i-1]]&(labelByte|highByte) != 0 {
		i--
	}
	return sc.isBehindSyntax(i, p+len("。"))
}

// start begins to scan the text.
func (sc *scan) start(o *Options, rules *hostRules, text string) {
	sc.hostRules, sc.text = rules, text
	sc.suspects, sc.maxLinkLen = o.Suspects, o.MaxLinkLen
	sc.dot = sc.findByte('.', 0)
	high := ascii.Prefix(text) // text in ASCII has no other dots
	sc.back, sc.isASCII = -1, high == len(text)
	sc.colon = sc.findColon(0)
	sc.at = sc.findByte('@', 0)
	sc.stop = sc.findStop(high)
	sc.fullDot = sc.findFullDot(high)
}

// emit completes the link l, of which only Text is not yet set, and moves on behind
// it. It returns true: a link was found.
func (sc *scan) emit(l *Link) bool {
	l.Text = sc.text[l.Start:l.End]
	if sc.maxLinkLen > 0 && len(l.Text) > sc.maxLinkLen {
		l.Kind, l.Reason = KindSuspect, ReasonTooLong
	}
	sc.finish(l.End)
	return true
}

// finish ends the search up to the offset end: no link begins before it.
func (sc *scan) finish(end int) {
	sc.done = end
	sc.skipDots(end)
	if sc.colon < end {
		sc.colon = sc.findColon(end)
	}
	if sc.at < end {
		sc.at = sc.findByte('@', end)
	}
}

// skipDots moves the triggers of bare hosts to the offset end or beyond.
func (sc *scan) skipDots(end int) {
	if sc.dot < end {
		sc.dot = sc.findByte('.', end)
	}
	if sc.stop < end {
		sc.stop = sc.findStop(end)
	}
	if sc.fullDot < end {
		sc.fullDot = sc.findFullDot(end)
	}
}

// findByte returns the offset of the first c at or after i, or len(text).
func (sc *scan) findByte(c byte, i int) int {
	if j := strings.IndexByte(sc.text[i:], c); j >= 0 {
		return i + j
	}
	return len(sc.text)
}

// findColon returns the offset of the first ":" at or after i that "//" follows, or other slashes
// and a digit, or for which isPlainColon is true; or len(text). It looks for colons, since text
// beyond ASCII has few in ASCII.
func (sc *scan) findColon(i int) int {
	if sc.isASCII {
		return sc.findSlash(i)
	}
	for ; i < len(sc.text); i++ {
		j := strings.IndexByte(sc.text[i:], ':')
		if j < 0 {
			break
		}
		i += j
		if c := byteAt(sc.text, i+1); c == '\\' || c == '/' && isSlashed(sc.text, i+1) || sc.suspects && (isPlainColon(sc.text, i) || openBefore(sc.text, i) >= 0) {
			return i
		}
	}
	return len(sc.text)
}

// findSlash is findColon for text in ASCII. It looks for slashes, of which sentences have fewer.
func (sc *scan) findSlash(i int) int {
	if sc.back < i {
		sc.back = sc.findBackslash(i)
	}
	for i++; i < sc.back; i++ {
		j := strings.IndexByte(sc.text[i:sc.back], '/')
		if j < 0 {
			break
		}
		i += j
		switch sc.text[i-1] {
		case ':':
			if isSlashed(sc.text, i) || sc.suspects && isPlainColon(sc.text, i-1) {
				return i - 1
			}
		case '/':
			if c := colonInBrackets(sc.text, i); c > 0 && sc.suspects {
				return c
			}
		}
	}
	return sc.back
}

// isSlashed reports whether another slash or a digit is behind the slash at the offset i.
func isSlashed(text string, i int) bool {
	c := byteAt(text, i+1)
	return c == '/' || c == '\\' || byteClass[c]&digitByte != 0
}

// findBackslash returns the offset of the first ":" at or after i that a backslash follows,
// or len(text).
func (sc *scan) findBackslash(i int) int {
	text := sc.text
	for i++; i < len(text); i++ {
		j := strings.IndexByte(text[i:], '\\')
		if j < 0 {
			break
		}
		i += j
		if text[i-1] == ':' {
			return i - 1
		}
	}
	return len(text)
}

// findStop returns the offset of the first U+3002 at or after i, or len(text). Kana share its
// first byte, and few characters behind one of them have its second.
func (sc *scan) findStop(i int) int {
	text := sc.text
	for {
		j := strings.IndexByte(text[i:], 0xe3)
		if j < 0 {
			return len(text)
		}
		i += j + 1
		if j = strings.IndexByte(text[i:], 0x80); j < 0 {
			return len(text)
		}
		i += j
		if text[i-1] == 0xe3 && byteAt(text, i+1) == 0x82 {
			return i - 1
		}
	}
}

// findFullDot returns the offset of the first U+FF0E or U+FF61 at or after i,
// or len(text).
func (sc *scan) findFullDot(i int) int {
	text := sc.text
	for {
		j := strings.IndexByte(text[i:], 0xef)
		if j < 0 || i+j+2 >= len(text) {
			return len(text)
		}
		i += j
		if text[i+1] == 0xbc && text[i+2] == 0x8e || text[i+1] == 0xbd && text[i+2] == 0xa1 {
			return i
		}
		i++
	}
}
