package filter

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy"
)

// Programs disagree where a link begins and ends. The path of a link, or a symbol beside a host, is
// for another program a host. So a defanged host may not remain anywhere in the text, in any
// spelling.

// flaggedHosts are the hosts of a text that are flagged whatever the rest of a link is.
type flaggedHosts struct {
	ctx    context.Context
	judge  *judge
	judged map[string]bool  // by name: whether the host is flagged; at most maxJudged
	below  map[string]names // by what follows the label that is registered, as "com"
	ends   []int            // the lengths of these
}

// names are labels that are registered below the same domain.
type names struct {
	whole   map[string]bool // by label: whether the host is flagged without labels before it
	lengths []int
}

// note keeps the host of a flagged link.
func (h *flaggedHosts) note(link engine.Link) {
	host := link.ASCIIHost()
	if host == "" || !h.flags(host) {
		return
	}
	if h.below == nil {
		h.below = make(map[string]names)
	}
	labels := strings.Count(hostname.Registrable(host), ".")
	h.add(plainHost(host), labels)
	h.add(plainHost(link.UnicodeHost()), labels)
}

// flags reports whether a host is flagged whatever the rest of a link is.
func (h *flaggedHosts) flags(host string) bool {
	flagged, ok := h.judged[host]
	if ok {
		return flagged
	}
	flagged = h.judge.ofHost(host).Worst() >= policy.SeverityMedium
	if len(h.judged) < maxJudged {
		if h.judged == nil {
			h.judged = make(map[string]bool)
		}
		h.judged[strings.Clone(host)] = flagged
	}
	return flagged
}

// add adds a host. Behind the label that is registered it has a number of labels.
func (h *flaggedHosts) add(host string, labels int) {
	host = strings.TrimSuffix(host, ".")
	end := len(host)
	for range max(labels, 1) {
		end = strings.LastIndexByte(host[:end], '.')
		if end < 0 {
			return // no program links a host of one label without its scheme
		}
	}
	start := strings.LastIndexByte(host[:end], '.') + 1
	label, rest := host[start:end], host[end+1:]
	if rest == "" {
		return
	}
	at := h.below[rest]
	if at.whole == nil {
		at.whole = make(map[string]bool)
		h.ends = appendLength(h.ends, len(rest))
	}
	at.whole[label] = at.whole[label] || start == 0
	at.lengths = appendLength(at.lengths, len(label))
	h.below[rest] = at
}

// appendLength appends a length that is not in a list yet.
func appendLength(lengths []int, length int) []int {
	if slices.Contains(lengths, length) {
		return lengths
	}
	return append(lengths, length)
}

// namedIn returns the words of a text that name flagged hosts. It stops when the context ends.
func (h *flaggedHosts) namedIn(text string) (pieces []span) {
	if len(h.below) == 0 {
		return nil
	}
	checked := 0
	for start := 0; start < len(text); {
		if start-checked > checkBytes {
			checked = start
			if h.ctx.Err() != nil {
				return pieces
			}
		}
		end := start + wordLength(text[start:])
		if end == start {
			_, size := utf8.DecodeRuneInString(text[start:])
			start += size
			continue
		}
		if h.namesIn(text[start:end]) {
			pieces = appendLinkable(pieces, text, span{start, end})
		}
		if end-start < maxWord {
			start = end
			continue
		}
		for start = end - maxWritten; start < end && !utf8.RuneStart(text[start]); start++ {
		}
	}
	return pieces
}

// appendLinkable appends a word of a text. Programs link one without a full stop, as "example%2Ecom",
// only behind a scheme or an at sign, so that one counts together with the sign before it.
func appendLinkable(pieces []span, text string, word span) []span {
	if name := text[word.start:word.end]; defang(name) != name {
		return append(pieces, word)
	}
	before := strings.TrimRight(text[:word.start], `/\`)
	if !strings.HasSuffix(before, ":") && !strings.HasSuffix(before, "@") {
		return pieces
	}
	return append(pieces, span{len(before) - 1, word.end})
}

const (
	// checkBytes is the number of bytes after which a search or a writer looks at the context.
	checkBytes = 64 << 10
	// maxWritten is about the number of bytes of a name as it is written, with escapes.
	maxWritten = 4 * hostname.MaxName
	// maxJudged is the number of hosts whose verdicts are kept.
	maxJudged = 1 << 14
	// maxWord is the number of bytes of a word that are read together.
	maxWord = 4 * maxWritten
)

// wordLength returns the length of the characters that a text begins with and that may be in a
// host, whether written with percent escapes or to be mapped to others.
func wordLength(text string) int {
	for i, r := range text {
		if r < utf8.RuneSelf && !ascii.IsAlphanumeric(r) && strings.IndexByte("-._%", byte(r)) < 0 || unicode.IsSpace(r) || i >= maxWord {
			return i
		}
	}
	return len(text)
}

// plainHost returns a text as UTS #46 maps hosts, if only approximately: in lower case, with
// compatible characters and full stops for one another, and without escapes and ignored characters.
func plainHost(text string) string {
	return strings.ToLower(norm.NFKC.String(strings.Map(func(r rune) rune {
		if ucd.HostClassOf(r) == ucd.HostIgnored {
			return -1
		}
		return r
	}, dotted(text))))
}

// dotted returns a text without escapes, and with one kind of full stop.
func dotted(text string) string {
	if strings.IndexByte(text, '%') >= 0 {
		text = percent.Decode(text)
	}
	return strings.Map(func(r rune) rune {
		if ucd.HostClassOf(r) == ucd.HostSeparator {
			return '.'
		}
		return r
	}, text)
}

// namesIn reports whether a word of a text has a flagged host in it, with the characters around as
// UTS #46 maps them or as they are.
func (h *flaggedHosts) namesIn(word string) bool {
	if ascii.Is(word) && strings.IndexByte(word, '%') < 0 {
		return h.names(strings.ToLower(word))
	}
	return h.names(plainHost(word)) || h.names(strings.ToLower(dotted(word)))
}

// names reports whether a word in lower case has a flagged host in it.
func (h *flaggedHosts) names(word string) bool {
	for dot := 0; ; dot++ {
		next := strings.IndexByte(word[dot:], '.')
		if next < 0 {
			return false
		}
		dot += next
		for _, n := range h.ends {
			end := dot + 1 + n
			if end > len(word) {
				continue
			}
			at, ok := h.below[word[dot+1:end]]
			if !ok || goesOnAsHost(word[dot+1:], n) {
				continue
			}
			for _, n := range at.lengths {
				if n > dot {
					continue
				}
				start := dot - n
				if alone, ok := at.whole[word[start:dot]]; ok && h.isName(word[:end], start, alone) {
					return true
				}
			}
		}
	}
}

// goesOnAsHost reports whether the domain text[:end] goes on behind end as another one.
func goesOnAsHost(text string, end int) bool {
	if end == len(text) {
		return false
	}
	if c := text[end]; c != '.' && c != '-' {
		return ascii.IsAlphanumeric(c) && text[end-1] < utf8.RuneSelf
	}
	rest := text[end:min(len(text), end+hostname.MaxName)]
	if n := strings.IndexFunc(rest, endsHost); n >= 0 {
		rest = rest[:n]
	}
	rest, _, _ = strings.Cut(rest, "..")
	rest = strings.TrimRight(rest, "-.")
	return rest != "" && isTopLevel(hostname.LastLabel(text[:end]+rest))
}

// endsHost reports whether r, in lower case, is neither a full stop nor in a label.
func endsHost(r rune) bool {
	return r != '-' && r != '.' && !unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// isName reports whether the label at the offset start of a text begins a flagged host that ends with
// the text, or the labels before it do. alone reports whether it does without them.
func (h *flaggedHosts) isName(text string, start int, alone bool) bool {
	switch before := text[:start]; {
	case strings.HasSuffix(before, ".") && !strings.HasSuffix(before, ".."):
		name := longerName(text, start)
		return h.flags(name) || h.flags(inASCII(name, len(text)-start))
	case strings.HasSuffix(before, "-"):
		return alone && (start == 1 || !ascii.IsAlphanumeric(text[start-2]))
	}
	return alone && (start == 0 || !ascii.IsAlphanumeric(text[start-1]))
}

// inASCII returns what follows the last character of a name that is neither in ASCII nor in its last n
// bytes: other programs begin a host there.
func inASCII(name string, n int) string {
	before := name[:max(0, len(name)-n)]
	for i := len(before) - 1; i >= 0; i-- {
		if before[i] >= utf8.RuneSelf {
			return strings.TrimLeft(name[i+1:], "-.")
		}
	}
	return name
}

// longerName returns the host that a text ends with, from labels before the offset start on.
func longerName(text string, start int) string {
	from := max(0, len(text)-hostname.MaxName)
	before := text[from:start]
	if i := strings.LastIndex(before, ".."); i >= 0 {
		from += i + len("..")
		before = text[from:start]
	}
	if i := strings.LastIndexFunc(before, func(r rune) bool { return r < utf8.RuneSelf && endsHost(r) }); i >= 0 {
		from += i + 1
	}
	return strings.TrimLeft(text[from:], "-.")
}
