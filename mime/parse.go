package mime

import (
	"context"
	"strconv"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// Parse finds the parts of a message. It never fails and does not copy raw. It reports
// malformed and ambiguous places in Problems. The cost is linear in the length of raw: it
// reads each header once, and searches each body once for lines that begin with "--". It
// compares these lines with the boundaries that are open there.
//
// If ctx ends, the message lacks the parts that were not read, and no problem says so. Decoding such a
// message later fails with the error of ctx. Parse and decoding check ctx every 64 KiB of input.
func Parse(ctx context.Context, raw []byte, lim Limits) *Message {
	m := new(Message)
	m.Parse(ctx, raw, lim, false)
	return m
}

// Parse is the function [Parse], but reuses the memory of a message that is no longer used. prefix says
// that raw is only the beginning of a message. Parse reads the part in which raw ends as far as
// possible. It leaves out an incomplete transfer encoding, character or line end, and multiparts may
// lack their ends. Such a message cannot be edited.
func (m *Message) Parse(ctx context.Context, raw []byte, lim Limits, prefix bool) {
	m.parse(ctx, raw, lim.withDefaults(), 0, prefix)
}

// Without parses the message again without some fields of its header. fields are their sorted indices
// in Root.Fields.
func (m *Message) Without(fields []int) *Message {
	rest := make([]byte, 0, len(m.Raw))
	kept := 0
	for _, i := range fields {
		f := m.Root.Fields[i]
		rest, kept = append(rest, m.Raw[kept:f.start]...), f.end
	}
	return parseCut(m.ctx, append(rest, m.Raw[kept:]...), m.limits, m.depth, m.cut)
}

func parseCut(ctx context.Context, raw []byte, lim Limits, depth int, cut bool) *Message {
	m := new(Message)
	m.parse(ctx, raw, lim, depth, cut)
	return m
}

func (m *Message) parse(ctx context.Context, raw []byte, lim Limits, depth int, cut bool) {
	if m.Root != nil { // used before
		*m = Message{}
	}
	m.Raw, m.Root, m.limits, m.depth, m.cut, m.ctx = raw, &m.root, lim, depth, cut, ctx
	s := scanner{m: m, meter: *meter.New(ctx)}
	p := parser{scanner: &s, headers: headerReader{scanner: &s, left: lim.HeaderBytes, fields: m.room[:0]}}
	p.run()
}

// A parser walks over a message from its first byte to its last.
type parser struct {
	*scanner // scanner of the same message
	headers  headerReader
	parts    int
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
	p.finish(0, len(p.m.Raw))
	p.end(p.m.Root, len(p.m.Raw))
}

// begin reads the header of part at pos, opens the part when it is a multipart
// and returns where its body begins.
func (p *parser) begin(part *Part, pos int) int {
	p.parts++
	part.start = pos
	p.headers.read(part)
	part.end = part.bodyStart
	p.m.interpret(part)
	p.checkHeaderEnd(part)
	if part.isMultipart() {
		p.openMultipart(part)
	}
	part.Number = number(part)
	return part.bodyStart
}

// number returns the section number of a part that was just appended to its
// parent's children.
func number(part *Part) string {
	parent := part.parent
	switch {
	case parent == nil && part.boundary != "":
		return "0"
	case parent == nil:
		return "1"
	}
	n := strconv.Itoa(len(parent.children))
	if parent.parent == nil {
		return n
	}
	return parent.Number + "." + n
}

// openMultipart opens part, so that its delimiters count from now on. If it cannot, it reports why.
func (p *parser) openMultipart(part *Part) {
	if !part.unencoded() {
		p.m.problem(reasonEncodedMultipart, part.start)
	}
	boundary := part.params.get("boundary")
	if boundary == "" {
		p.m.problem(reasonMissingBoundary, part.start)
		return
	}
	if !validBoundary(boundary) {
		p.m.problem(reasonInvalidBoundary, part.start)
	}
	if p.m.depth+len(p.open) >= p.m.limits.Depth {
		p.m.problem(reasonTooDeep, part.start)
		return
	}
	for _, outer := range p.open {
		if outer.part.boundary == boundary {
			p.m.problem(reasonReusedBoundary, part.start)
		}
	}
	part.boundary = boundary
	p.open = append(p.open, multipart{part: part})
}

// cross ends what the delimiter ends, begins the part it begins and returns
// where to go on.
func (p *parser) cross(d delimiter) int {
	bodyEnd := trimLineEndAt(p.m.Raw, d.start)
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
		p.m.problem(ReasonTooManyParts, d.start)
		p.full = true
		return d.end
	}
	child := &Part{parent: mp.part}
	mp.part.children = append(mp.part.children, child)
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
		case p.full, p.m.cut && end == len(p.m.Raw):
		case mp.part == p.m.Root && p.m.depth > 0 && isBlank(p.m.Raw[mp.part.bodyStart:end]):
			// An attached message may be a header without a body, as in delivery reports: it lacks no
			// parts.
		case len(mp.part.children) == 0:
			p.m.problem(reasonMissingDelimiter, mp.part.start)
		case !mp.closed:
			p.m.problem(reasonMissingCloseDelimiter, mp.part.start)
		}
	}
	p.open = p.open[:level]
}

// end sets the end of a part. The line end before a delimiter belongs to the delimiter,
// even if it also ends the header or the delimiter line before the part.
func (p *parser) end(part *Part, end int) {
	part.end = end
	if part.bodyStart <= end {
		return
	}
	if end < part.start {
		p.m.problem(reasonAmbiguousDelimiter, part.start)
	}
	part.start = min(part.start, end)
	part.bodyStart, part.blank = end, false
	for i := len(part.Fields) - 1; i >= 0 && part.Fields[i].end > part.end; i-- {
		part.Fields[i].end = part.end
	}
}
