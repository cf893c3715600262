package mime

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"
)

// parse parses a message without a deadline.
func parse(raw []byte, lim Limits) *Message { return Parse(context.Background(), raw, lim) }

// crlf returns text with CRLF line ends.
func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

// checkRanges checks properties of every message: the ranges are nested, in order, and cover Raw;
// delimiters stand between the parts of a multipart.
func checkRanges(t testing.TB, m *Message) {
	t.Helper()
	if m.Root.start != 0 || m.Root.end != len(m.Raw) {
		t.Fatalf("the root is [%d,%d) of %d", m.Root.start, m.Root.end, len(m.Raw))
	}
	for _, p := range parts(m.Root) {
		if p.start > p.bodyStart || p.bodyStart > p.end {
			t.Fatalf("part %s is [%d,%d,%d)", p.Number, p.start, p.bodyStart, p.end)
		}
		checkFields(t, m, p)
		checkChildren(t, m, p)
		if p.blank && !bytes.HasSuffix(m.headerBytes(p), []byte("\n")) {
			t.Fatalf("part %s has no empty line: %q", p.Number, m.headerBytes(p))
		}
	}
	seen := make(map[Reason]bool)
	for i, reason := range m.Problems {
		if offset := m.offsets[i]; seen[reason] || offset < 0 || offset > len(m.Raw) {
			t.Fatalf("problem %s at %d of %d, twice: %t", reason, offset, len(m.Raw), seen[reason])
		}
		seen[reason] = true
	}
}

// oldFromField matches a From field with a space before its colon (RFC 5322 §4.5). It begins like
// the first line of an mbox file.
var oldFromField = regexp.MustCompile(`^From[ \t]+:`)

// checkFields checks that the fields of p follow each other in its header, with nothing between
// them but the reported problems.
func checkFields(t testing.TB, m *Message, p *Part) {
	t.Helper()
	pos := p.start
	if p.parent == nil && m.doubtful(reasonMboxFrom) && !oldFromField.Match(m.Raw) {
		pos = lineEnd(m.Raw, 0)
	}
	for _, f := range p.Fields {
		if f.start != pos || f.valueStart < f.start+len(f.Name)+1 || f.valueStart > f.end || f.end > p.bodyStart {
			t.Fatalf("part %s [%d,%d): field %+v at %d", p.Number, p.start, p.bodyStart, f, pos)
		}
		if string(m.Raw[f.start:f.start+len(f.Name)]) != f.Name || m.Raw[f.valueStart-1] != ':' {
			t.Fatalf("part %s: field %+v", p.Number, f)
		}
		pos = f.end
	}
	if rest := m.Raw[min(pos, p.bodyStart):p.bodyStart]; !m.doubtful(reasonHeaderTooLarge) && len(trimLineEnd(rest)) > 0 {
		t.Fatalf("part %s: %q behind the last field", p.Number, rest)
	}
}

// checkChildren checks that the children of p are in its body, each behind one delimiter line.
func checkChildren(t testing.TB, m *Message, p *Part) {
	t.Helper()
	pos := p.bodyStart
	for i, c := range p.children {
		if c.parent != p || c.start < pos || c.end > p.end {
			t.Fatalf("part %s [%d,%d) in %s [%d,%d) behind %d", c.Number, c.start, c.end, p.Number, p.bodyStart, p.end, pos)
		}
		gap := m.Raw[pos:c.start]
		line := gap[bytes.LastIndex(trimLineEnd(gap), []byte("\n"))+1:]
		// A CR that ends no line is no padding; it may be the end of a boundary. It ends one where all lines
		// end in CR CR LF.
		text := trimLineEnd(line)
		if bytes.HasSuffix(line, crCRLF) && bytes.Count(m.Raw[m.Root.bodyStart:], crCRLF) == bytes.Count(m.Raw[m.Root.bodyStart:], newline) {
			text = bytes.TrimSuffix(text, carriageReturn)
		}
		if string(bytes.TrimRight(text, " \t")) != "--"+strings.TrimRight(p.boundary, " \t") {
			t.Fatalf("part %s begins behind %q", c.Number, line)
		}
		if i > 0 && len(bytes.TrimLeft(gap[:len(gap)-len(line)], "\r\n")) > 0 {
			t.Fatalf("%q between the parts %d and %d of %s", gap, i, i+1, p.Number)
		}
		pos = c.end
	}
}
