package filter

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
)

// Defanging changes what is beside a link, too: "a@b.example?x@c.example" is one
// address; without its first at sign "x@c.example" is another. So a text is scanned
// again after its replacements, and where the scan finds what may not be there, the
// defanging widens step by step.
type width uint8

// The widths.
const (
	widthLink   width = iota // what was found, but for links that stay
	widthBeside              // the run of characters without white space, but for links that stay
	widthRun                 // the run, with the links in it
	widthLine                // the line, with the links in it
	widths
)

// settle changes the replacements until wrong finds nothing wrong with the text, and
// reports whether it could. wrong returns pieces of the text before the
// replacements. Where the rule does not defang, and beside nothing defanged, readable
// forms are dropped instead, line by line.
func (s *splice) settle(wrong func() []span) bool {
	s.defangNamed()
	for width := range widths {
		if !s.changes() {
			return true
		}
		pieces := wrong()
		if len(pieces) == 0 {
			return true
		}
		if !s.widen(pieces, width) {
			break
		}
	}
	s.dropReadable(span{0, len(s.content)})
	return len(wrong()) == 0
}

// differing returns where links are not the expected ones.
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
	for link, err := range s.judge.finder.all(s.ctx, after) {
		if err != nil {
			break // the edit will not be applied
		}
		skip(link.Start)
		if next < len(starts) && s.replaced[next].is(link, starts[next]) && !(s.defang && s.replaced[next].readable() && s.flags(link)) {
			next++
			continue
		}
		wrong = append(wrong, s.original(starts, span{link.Start, link.End}))
	}
	skip(len(after) + 1)
	switch {
	case s.defang && s.judge.finder.joinLines:
		wrong = append(wrong, s.flagged()...)
	case s.defang:
		wrong = append(wrong, s.named(after, starts)...)
	}
	return wrong
}

// flagged returns where the text afterwards holds flagged links or names a flagged host. Links
// that are broken over lines count both whole and as far as their first line goes.
func (s *splice) flagged() []span {
	after, starts := s.applied()
	var wrong []span
	add := func(link engine.Link, err error) bool {
		if err == nil && s.flags(link) {
			wrong = append(wrong, s.original(starts, span{link.Start, link.End}))
		}
		return true
	}
	s.judge.finder.scan(s.ctx, after)(add)
	if s.judge.finder.joinLines {
		s.judge.finder.all(s.ctx, after)(add)
	}
	return append(wrong, s.named(after, starts)...)
}

// named returns where the text afterwards names flagged hosts, as readable forms may.
func (s *splice) named(after string, starts []int) []span {
	wrong := s.hosts.namedIn(after)
	for i, piece := range wrong {
		wrong[i] = s.original(starts, piece)
	}
	return wrong
}

// defangNamed defangs the words that name a flagged host, with the links in them.
func (s *splice) defangNamed() {
	if s.defang && len(s.hosts.below) > 0 {
		s.defangAll(s.named(s.applied()), true)
	}
}

// exposed returns where the text afterwards holds flagged links, or links that came to
// be when what is beside them was defanged.
func (s *splice) exposed() []span {
	wrong := s.flagged()
	after, starts := s.applied()
	for link, err := range s.judge.finder.all(s.ctx, after) {
		if err != nil {
			break
		}
		if !s.stays(starts, link) {
			wrong = append(wrong, s.original(starts, span{link.Start, link.End}))
		}
	}
	return wrong
}

// stays reports whether a link of the text afterwards shares a character with one that
// was there before and was not defanged.
func (s *splice) stays(starts []int, link engine.Link) bool {
	for i := sort.SearchInts(starts, link.End) - 1; i >= 0 && starts[i]+s.replaced[i].length() > link.Start; i-- {
		if s.replaced[i].alive {
			return true
		}
	}
	return false
}

// widen defangs what is around pieces of the text, or drops the readable forms of the
// line where nothing beside them is defanged. It reports whether all pieces are dealt
// with.
func (s *splice) widen(pieces []span, width width) bool {
	slices.SortFunc(pieces, func(a, b span) int { return a.start - b.start })
	var wider []span
	run, line := span{-1, -1}, span{-1, -1}
	defanged, dropped := false, false // anything in the run; readable forms of the line
	for _, piece := range pieces {
		if piece.end > run.end {
			run = around(s.content, piece, unicode.IsSpace, run.end)
			defanged = slices.ContainsFunc(s.inside(run), func(r replacement) bool { return !r.alive })
		}
		if piece.end > line.end {
			line = around(s.content, piece, isLineEnd, line.end)
			dropped = false
		}
		switch {
		case !defanged && width < widthLine && (dropped || s.dropReadable(line)):
			dropped = true
		case !s.defang:
			return false // no rewrite explains it
		default:
			wider = append(wider, [...]span{piece, run, run, line}[width])
		}
	}
	s.defangAll(wider, width >= widthRun)
	return true
}

// dropReadable leaves the links in a piece of the text as they were typed, unless they
// are defanged. It reports whether that changes anything.
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

// around returns the piece of the text around another that ends where a character
// does. It does not begin before from.
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

// defangAll defangs pieces of the text, which are sorted by where they begin. Links in
// them that stay are defanged only if links says so.
func (s *splice) defangAll(pieces []span, links bool) {
	if len(pieces) == 0 {
		return
	}
	all := make([]replacement, 0, len(s.replaced)+len(pieces))
	pos := 0 // what is before it is done
	gap := func(end int) {
		for len(pieces) > 0 && pieces[0].start < end {
			p := span{max(pos, pieces[0].start), min(end, pieces[0].end)}
			if p.start < p.end {
				all = appendDefanged(all, s.content, p)
				pos = p.end
			}
			if pieces[0].end > end {
				return
			}
			pieces = pieces[1:]
		}
	}
	for _, r := range s.replaced {
		gap(r.start)
		pos = r.end
		if links && r.alive && len(pieces) > 0 && pieces[0].start < r.end {
			all = s.appendDead(all, r)
			continue
		}
		all = append(all, r)
	}
	gap(len(s.content))
	s.replaced = all
}

// appendDead appends what defangs a link that was to stay.
func (s *splice) appendDead(all []replacement, r replacement) []replacement {
	s.kill(&r)
	if r.found.Broken {
		return appendDefanged(all, s.content, span{r.start, r.end})
	}
	return append(all, r)
}
