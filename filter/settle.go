package filter

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy"
)

// maxWidened bounds how often the text around defanged links is defanged, too, and scanned again. In
// "a@b.example?x@c.example", one address, defanging the first at sign makes "x@c.example" an address.
const maxWidened = 3

// settle changes the replacements until wrong finds nothing, and reports whether it succeeded. wrong
// returns pieces of the original text that came out wrong. The run up to white space around such a
// piece is defanged. If nothing in the run was defanged, its links are left as typed.
func (s *splice) settle(wrong func() []span) bool {
	if !s.changes() {
		return true
	}
	for range maxWidened {
		pieces := wrong()
		if len(pieces) == 0 {
			return true
		}
		if !s.widen(pieces) {
			break
		}
	}
	s.dropReadable(span{0, len(s.content)})
	return len(wrong()) == 0
}

// differing returns the pieces where the edited text has other links than expected.
func (s *splice) differing() []span {
	after, starts := s.applied()
	next, wrong := 0, []span(nil)
	skip := func(until int) {
		for ; next < len(starts) && (starts[next] < until || !s.replaced[next].alive && starts[next] == until); next++ {
			if r := &s.replaced[next]; r.alive {
				wrong = append(wrong, span{r.start, r.end})
			}
		}
	}
	for link, err := range s.judge.Finder.All(s.ctx, after) {
		if err != nil {
			break // the context ended: the edit will not be applied
		}
		skip(link.Start)
		if next < len(starts) && s.replaced[next].is(link, starts[next]) {
			next++
			continue
		}
		wrong = append(wrong, s.original(starts, span{link.Start, link.End}))
	}
	skip(len(after) + 1)
	if s.defang {
		wrong = append(wrong, s.flagged(after, starts)...)
	}
	return wrong
}

// exposed returns the pieces where the edited text holds flagged links, or new links that arose from
// defanging their neighbours.
func (s *splice) exposed() []span {
	after, starts := s.applied()
	wrong := s.flagged(after, starts)
	for link, err := range s.judge.Finder.All(s.ctx, after) {
		if err != nil {
			break
		}
		if !s.stays(starts, link) {
			wrong = append(wrong, s.original(starts, span{link.Start, link.End}))
		}
	}
	return wrong
}

// stays reports whether a link of the edited text overlaps a link that was there before and was not
// defanged.
func (s *splice) stays(starts []int, link engine.Link) bool {
	for i := sort.SearchInts(starts, link.End) - 1; i >= 0 && starts[i]+s.replaced[i].length() > link.Start; i-- {
		if s.replaced[i].alive {
			return true
		}
	}
	return false
}

// flagged returns the pieces where the edited text holds flagged links or names a flagged host. A link
// broken over lines counts both as a whole and up to its first line end.
func (s *splice) flagged(after string, starts []int) (wrong []span) {
	add := func(link engine.Link, err error) bool {
		if err == nil && s.flags(link) {
			wrong = append(wrong, s.original(starts, span{link.Start, link.End}))
		}
		return err == nil
	}
	s.judge.Finder.Scan(s.ctx, after)(add)
	if s.judge.Finder.JoinLines {
		s.judge.Finder.All(s.ctx, after)(add)
	}
	return append(wrong, s.named(after, starts)...)
}

// widen defangs the text around the pieces. If nothing there was defanged, it drops the readable forms
// instead. It returns false if a piece is wrong for another reason.
func (s *splice) widen(pieces []span) bool {
	slices.SortFunc(pieces, func(a, b span) int { return a.start - b.start })
	var runs []span
	run := span{-1, -1}
	for _, piece := range pieces {
		if piece.end <= run.end {
			continue
		}
		run = around(s.content, piece, unicode.IsSpace, run.end)
		defanged := slices.ContainsFunc(s.inside(run), func(r replacement) bool { return !r.alive })
		switch {
		case !defanged && (s.dropReadable(run) || !s.defang && s.dropReadable(around(s.content, piece, isLineEnd, 0))):
		case !s.defang:
			return false // no rewritten link is the cause
		default:
			runs = append(runs, run)
		}
	}
	s.defangAll(runs)
	return true
}

// dropReadable leaves the links in a piece of the text as typed, except defanged ones. It reports
// whether that changes anything.
func (s *splice) dropReadable(piece span) bool {
	dropped := false
	inside := s.inside(piece)
	for i := range inside {
		if r := &inside[i]; r.alive && r.new != "" {
			r.new, dropped = "", true
		}
	}
	return dropped
}

func isLineEnd(r rune) bool { return r == '\n' || r == '\r' }

// around returns the piece extended on both sides up to a character for which ends is true. It does not
// begin before from.
func around(content string, piece span, ends func(rune) bool, from int) span {
	from = max(0, min(from, piece.start))
	start := from
	before := content[from:piece.start]
	if i := strings.LastIndexFunc(before, ends); i >= 0 {
		_, size := utf8.DecodeRuneInString(before[i:])
		start = from + i + size
	}
	end := len(content)
	if i := strings.IndexFunc(content[piece.end:], ends); i >= 0 {
		end = piece.end + i
	}
	return span{start, end}
}

// inside returns the replacements that begin in a piece of the text.
func (s *splice) inside(piece span) []replacement {
	from := sort.Search(len(s.replaced), func(i int) bool { return s.replaced[i].start >= piece.start })
	to := sort.Search(len(s.replaced), func(i int) bool { return s.replaced[i].start >= piece.end })
	return s.replaced[from:to]
}

// defangAll defangs whole pieces of the text, including the links in them. The pieces are sorted.
func (s *splice) defangAll(pieces []span) {
	all := make([]replacement, 0, len(s.replaced)+len(pieces))
	old := s.replaced
	upTo := func(end int) {
		for ; len(old) > 0 && old[0].start < end; old = old[1:] {
			all = append(all, old[0])
		}
	}
	for _, piece := range pieces {
		upTo(piece.start)
		pos := piece.start
		if n := len(all); n > 0 {
			pos = max(pos, all[n-1].end)
		}
		for ; len(old) > 0 && old[0].start < piece.end; old = old[1:] {
			r := old[0]
			all = appendDefanged(all, s.content, span{pos, r.start})
			if pos = r.end; r.alive {
				s.kill(&r)
			}
			if r.found != nil && r.found.Broken {
				all = appendDefanged(all, s.content, span{r.start, r.end})
			} else {
				all = append(all, r)
			}
		}
		all = appendDefanged(all, s.content, span{pos, max(pos, piece.end)})
	}
	upTo(len(s.content) + 1)
	s.replaced = all
}

// note remembers the host of a flagged link, in Unicode and ASCII, if the host is flagged whatever its
// path or user name is. Other programs may link that host where linkmilter sees a path or the end of a
// word.
func (s *splice) note(link engine.Link, noted map[string]bool) {
	host := link.ASCIIHost()
	if noted[host] || !strings.Contains(host, ".") {
		return
	}
	noted[host] = true
	if s.judge.OfHost(host).Worst() < policy.SeverityMedium {
		return
	}
	for _, spelling := range [...]string{host, link.UnicodeHost()} {
		if spelling = strings.TrimSuffix(plainHost(spelling), "."); !slices.Contains(s.hosts, spelling) {
			s.hosts = append(s.hosts, spelling)
		}
	}
}

// maxSearched bounds the work of searching words for flagged hosts: bytes times hosts.
const maxSearched = 1 << 30

// named returns the pieces where the edited text names flagged hosts.
func (s *splice) named(after string, starts []int) (wrong []span) {
	searched, end := 0, 0
	for start := 0; start < len(after) && len(s.hosts) > 0; start = end {
		end = start + wordLength(after[start:])
		if end == start {
			_, size := utf8.DecodeRuneInString(after[start:])
			end += size
			continue
		}
		word := after[start:end]
		// After a scheme or an at sign, programs also link a name without full stops, such as
		// "example%2Ecom".
		if before := strings.TrimRight(after[:start], `/\`); judge.Defang(word) == word && !strings.HasSuffix(before, ":") && !strings.HasSuffix(before, "@") {
			continue
		}
		if searched += len(word) * len(s.hosts); searched > maxSearched || s.ctx.Err() != nil {
			return append(wrong, span{0, len(s.content)})
		}
		if mapped := plainHost(word); s.names(mapped) || mapped != word && s.names(strings.ToLower(dotted(word))) {
			wrong = append(wrong, s.original(starts, span{start, end}))
		}
	}
	return wrong
}

// names reports whether a word contains a flagged host that is not part of another host.
func (s *splice) names(word string) bool {
	return slices.ContainsFunc(s.hosts, func(host string) bool {
		for from := 0; ; {
			i := strings.Index(word[from:], host)
			if i < 0 {
				return false
			}
			start, end := from+i, from+i+len(host)
			from = start + 1
			if endsInName(word[:start]) || endsInName(word[:end]) && end < len(word) && ascii.IsAlphanumeric(word[end]) {
				continue
			}
			start = strings.LastIndexFunc(word[:start], isNoHost) + 1
			if n := strings.IndexFunc(word[end:], isNoHost); n >= 0 {
				end += n
			} else {
				end = len(word)
			}
			if !s.isOther(word[start:end]) {
				return true
			}
		}
	})
}

// isOther reports whether the whole name is a host that is not flagged.
func (s *splice) isOther(name string) bool {
	links := s.judge.Finder.In(name)
	return len(links) == 1 && links[0].Text == name && links[0].Kind == engine.KindURL && !s.flags(links[0])
}

// endsInName reports whether a text ends in an ASCII letter or digit, with hyphens after it or not.
func endsInName(text string) bool {
	text = strings.TrimRight(text, "-")
	return text != "" && ascii.IsAlphanumeric(text[len(text)-1])
}

// isNoHost reports whether r cannot be in an ASCII host.
func isNoHost(r rune) bool {
	return r >= utf8.RuneSelf || !ascii.IsAlphanumeric(r) && r != '-' && r != '.'
}

// wordLength returns the length of the longest prefix that may be a host. Percent escapes and
// characters that browsers map to others count as host characters.
func wordLength(text string) int {
	for i, r := range text {
		if r < utf8.RuneSelf && isNoHost(r) && r != '_' && r != '%' || unicode.IsSpace(r) {
			return i
		}
	}
	return len(text)
}

// plainHost returns a text about as UTS #46 maps hosts: in lower case, with compatible characters
// replaced, one kind of full stop, and no escapes or ignored characters.
func plainHost(text string) string {
	if ascii.Is(text) && strings.IndexByte(text, '%') < 0 {
		return strings.ToLower(text)
	}
	return strings.ToLower(norm.NFKC.String(strings.Map(func(r rune) rune {
		if ucd.HostClassOf(r) == ucd.HostIgnored {
			return -1
		}
		return r
	}, dotted(text))))
}

// dotted returns a text with percent escapes decoded and one kind of full stop.
func dotted(text string) string {
	return strings.Map(func(r rune) rune {
		if ucd.HostClassOf(r) == ucd.HostSeparator {
			return '.'
		}
		return r
	}, percent.Decode(text))
}
