package mime

import (
	"bytes"
	"context"
	"strconv"
)

// Parse finds the parts of a message. It never fails and copies no body; what
// is malformed or ambiguous is in Problems. The cost is linear in the length of
// raw: every header is read once and every body is searched once for lines that
// begin with "--", each of which is compared with the boundaries open there.
func Parse(raw []byte, lim Limits) *Message {
	return ParseContext(context.Background(), raw, lim)
}

// ParseContext is [Parse] that ends early when ctx does: what was not read then is
// missing, without a problem. Decoding a part of the message later fails with the
// error of ctx once that has ended. Both ask ctx every 64 KiB of input.
func ParseContext(ctx context.Context, raw []byte, lim Limits) *Message {
	return parseCut(ctx, raw, lim.withDefaults(), 0, false)
}

// ParsePrefix is [Parse] of a message of which raw is only the beginning. The part
// that is cut off is read as far as it goes: a transfer encoding, a character or a
// line end that is not complete is left out, and multiparts may lack their ends.
// Such a message cannot be edited.
func ParsePrefix(raw []byte, lim Limits) *Message {
	return ParsePrefixContext(context.Background(), raw, lim)
}

// ParsePrefixContext is [ParsePrefix] that ends early when ctx does, as [ParseContext].
func ParsePrefixContext(ctx context.Context, raw []byte, lim Limits) *Message {
	return parseCut(ctx, raw, lim.withDefaults(), 0, true)
}

func parseCut(ctx context.Context, raw []byte, lim Limits, depth int, cut bool) *Message {
	parsed := new(struct {
		message Message
		root    Part
		fields  [24]Field // as many as most messages have
	})
	m := &parsed.message
	*m = Message{Raw: raw, Root: &parsed.root, limits: lim, depth: depth, cut: cut, ctx: ctx}
	p := parser{m: m, raw: raw, meter: m.meter(), headerLeft: lim.HeaderBytes, fields: parsed.fields[:0]}
	p.run()
	return m
}

// A parser walks over a message from its first byte to its last and keeps the
// multiparts that are open at that place.
type parser struct {
	m          *Message
	raw        []byte
	open       []multipart // outermost first
	parts      int
	headerLeft int
	full       bool // the limit of parts was reached, or the context has ended
	meter      *meter

	fields     []Field // of all parts; each has a piece of it
	nameOctets int     // in the names of those that have none yet
}

// A multipart is an entity whose delimiters are looked for.
type multipart struct {
	part    *Part
	current *Part // the part being read; nil in the preamble and the epilogue
	closed  bool  // the close delimiter was seen
}

// A delimiter is a delimiter line that was found.
type delimiter struct {
	start, end int // of the line, with its line end
	level      int // index into parser.open
	close      bool
}

func (p *parser) run() {
	pos := p.begin(p.m.Root, 0)
	for len(p.open) > 0 && !p.full {
		d, ok := p.next(pos)
		if !ok {
			break
		}
		pos = p.cross(d)
	}
	p.finish(0, len(p.raw))
	p.end(p.m.Root, len(p.raw))
}

func (p *parser) problem(code Reason, offset int) {
	if !p.m.Doubtful(code) {
		p.m.Problems = append(p.m.Problems, Problem{code, offset})
	}
}

// begin reads the header of part at pos, opens the part when it is a multipart
// and returns where its body begins.
func (p *parser) begin(part *Part, pos int) int {
	p.parts++
	part.Start = pos
	p.header(part)
	part.End = part.BodyStart
	p.interpret(part)
	if part.Multipart() {
		p.openMultipart(part)
	}
	part.Number = number(part)
	return part.BodyStart
}

// number returns the section number of a part that was just appended to its
// parent's children.
func number(part *Part) string {
	parent := part.Parent
	switch {
	case parent == nil && part.boundary != "":
		return "0"
	case parent == nil:
		return "1"
	}
	n := strconv.Itoa(len(parent.Children))
	if parent.Parent == nil {
		return n
	}
	return parent.Number + "." + n
}

// openMultipart makes the delimiters of part be looked for, if it may be
// opened.
func (p *parser) openMultipart(part *Part) {
	if !part.unencoded() {
		p.problem(ReasonEncodedMultipart, part.Start)
	}
	boundary := part.Params.Get("boundary")
	if boundary == "" {
		p.problem(ReasonMissingBoundary, part.Start)
		return
	}
	if !validBoundary(boundary) {
		p.problem(ReasonInvalidBoundary, part.Start)
	}
	if p.m.depth+len(p.open) >= p.m.limits.Depth {
		p.problem(ReasonTooDeep, part.Start)
		return
	}
	for _, outer := range p.open {
		if outer.part.boundary == boundary {
			p.problem(ReasonReusedBoundary, part.Start)
		}
	}
	part.boundary = boundary
	p.open = append(p.open, multipart{part: part})
}

// validBoundary reports whether all readers take a boundary for the same
// octets. RFC 2046 §5.1.1 allows fewer characters; what is outside its list but
// visible ASCII is common in mail and not ambiguous.
func validBoundary(b string) bool {
	for i := range len(b) {
		if c := b[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return len(b) <= 70 && b[len(b)-1] != ' '
}

// next returns the first delimiter line at or after pos, which is the start of
// a line.
func (p *parser) next(pos int) (delimiter, bool) {
	for {
		start := p.dashLine(pos)
		if start < 0 {
			return delimiter{}, false
		}
		end := lineEnd(p.raw, start)
		if d, ok := p.match(start, end); ok {
			return d, true
		}
		if p.ended(end - start) {
			return delimiter{}, false
		}
		pos = end
	}
}

// ended counts n bytes as read, and reports whether the context has ended.
func (p *parser) ended(n int) bool {
	if p.meter.spend(n) != nil {
		p.full = true
	}
	return p.full
}

var dashes = []byte("--")

// dashLine returns the start of the first line at or after pos, itself the start
// of a line, that begins with "--"; -1 if there is none. It looks for the dash,
// which base64 does not have, and not for line ends: bodies are mostly base64. A
// bare CR before "--" is a problem: who takes CR for a line end may see a
// delimiter there.
func (p *parser) dashLine(pos int) int {
	first := pos
	for {
		i := bytes.IndexByte(p.raw[pos:], '-')
		if i < 0 {
			return -1
		}
		pos += i
		if pos+1 < len(p.raw) && p.raw[pos+1] == '-' {
			if pos == first || p.raw[pos-1] == '\n' {
				return pos
			}
			if p.raw[pos-1] == '\r' {
				p.problem(ReasonBareCR, pos-1)
			}
		}
		if p.ended(i + 1) {
			return -1
		}
		for pos < len(p.raw) && p.raw[pos] == '-' {
			pos++
		}
	}
}

// match reports whether the line [start,end), which begins with "--", is a
// delimiter of one of the open multiparts: the boundary, "--" if it closes, and
// no more than white space (RFC 2046 §5.1.1, transport-padding).
func (p *parser) match(start, end int) (delimiter, bool) {
	line := trimLineEnd(p.raw[start:end])[len(dashes):]
	found := delimiter{start: start, end: end, level: -1}
	for level := len(p.open) - 1; level >= 0; level-- {
		boundary := p.open[level].part.boundary
		if len(line) < len(boundary) || string(line[:len(boundary)]) != boundary {
			continue
		}
		tail := line[len(boundary):]
		closing := bytes.HasPrefix(tail, dashes)
		if closing {
			tail = tail[len(dashes):]
		}
		switch {
		case len(bytes.TrimLeft(tail, " \t")) > 0:
			p.problem(ReasonAmbiguousDelimiter, start)
		case p.open[level].closed:
			p.problem(ReasonDelimiterAfterClose, start)
		case found.level >= 0:
			p.problem(ReasonAmbiguousDelimiter, start)
		default:
			found.level, found.close = level, closing
		}
	}
	return found, found.level >= 0
}

// cross ends what the delimiter ends, begins the part it begins and returns
// where to go on.
func (p *parser) cross(d delimiter) int {
	bodyEnd := trimLineEndAt(p.raw, d.start)
	p.finish(d.level+1, bodyEnd)
	mp := &p.open[d.level]
	if mp.current != nil {
		p.end(mp.current, bodyEnd)
		mp.current = nil
	}
	if d.close {
		mp.closed = true
		return d.end
	}
	if p.parts >= p.m.limits.Parts {
		p.problem(ReasonTooManyParts, d.start)
		p.full = true
		return d.end
	}
	child := &Part{Parent: mp.part}
	mp.part.Children = append(mp.part.Children, child)
	mp.current = child
	return p.begin(child, d.end)
}

// finish closes the open multiparts from level inwards at the offset end.
func (p *parser) finish(level, end int) {
	for i := len(p.open) - 1; i >= level; i-- {
		mp := p.open[i]
		if mp.current != nil {
			p.end(mp.current, end)
		}
		switch {
		case p.full, p.m.cut && end == len(p.raw):
		case len(mp.part.Children) == 0:
			p.problem(ReasonMissingDelimiter, mp.part.Start)
		case !mp.closed:
			p.problem(ReasonMissingCloseDelimiter, mp.part.Start)
		}
	}
	p.open = p.open[:level]
}

// end sets where a part ends. The line end before a delimiter belongs to the
// delimiter even when it is the one that would end the header, or the delimiter
// line before the part.
func (p *parser) end(part *Part, end int) {
	part.End = end
	if part.BodyStart <= end {
		return
	}
	if end < part.Start {
		p.problem(ReasonAmbiguousDelimiter, part.Start)
	}
	part.Start = min(part.Start, end)
	part.BodyStart, part.blank = end, false
	for i := len(part.Fields) - 1; i >= 0 && part.Fields[i].End > part.End; i-- {
		part.Fields[i].End = part.End
	}
}

// lineEnd returns the offset behind the line that begins at pos: behind its LF
// or at the end of raw. A CR alone ends no line.
func lineEnd(raw []byte, pos int) int {
	if i := bytes.IndexByte(raw[pos:], '\n'); i >= 0 {
		return pos + i + 1
	}
	return len(raw)
}

// trimLineEnd returns line without its CRLF or LF.
func trimLineEnd(line []byte) []byte {
	return line[:trimLineEndAt(line, len(line))]
}

// trimLineEndAt returns the offset before the CRLF or LF that ends at end, or
// end itself.
func trimLineEndAt(raw []byte, end int) int {
	if end > 0 && raw[end-1] == '\n' {
		end--
		if end > 0 && raw[end-1] == '\r' {
			end--
		}
	}
	return end
}
