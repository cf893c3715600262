package mime

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/charset"
)

// RewriteText plans to replace pieces of the text of leaf, a text/plain or text/html leaf
// of m. Offsets refer to the result of [Message.Text]. Edits must be sorted and must not
// overlap; each replaces bytes of one line, or in HTML of several, by bytes without line
// ends. The rest of the body keeps its bytes as far as the encoding allows. Lines keep their
// ends and, in format=flowed, their soft breaks, except inside a replaced piece. In
// quoted-printable only the bytes of a change are encoded again, and the lines around it keep their
// soft breaks. In base64 the lines before a change stay, and those behind it if it adds bytes by
// threes. In HTML, spaces in a tag beside a change see to that.
//
// In HTML, a character that the charset or the transfer encoding 7bit cannot hold becomes a numeric
// character reference. So new non-ASCII characters must be in texts or in values of attributes. The
// charset stays, and without SevenBit the transfer encoding does, too.
//
// RewriteText keeps the charset unless it cannot encode the new text; then it uses UTF-8.
// It keeps the transfer encoding, unless 7bit cannot hold the text or plan.SevenBit is
// set for an 8bit leaf; then it uses quoted-printable or base64, whichever is shorter.
// With SevenBit it also encodes a text without edits. It updates Content-Type and
// Content-Transfer-Encoding, and deletes Content-MD5.
//
// The error wraps a [Reason]; plan is then unchanged.
func (m *Message) RewriteText(plan *Plan, leaf *Part, edits []Edit) error {
	recoded := plan.SevenBit && leaf.encoding == "8bit"
	if len(edits) == 0 && (!recoded || ascii.Is(m.Body(leaf))) {
		return nil
	}
	if err := m.mayEdit(leaf, "text/plain", "text/html"); err != nil {
		return err
	}
	if plan.rewriteOf(leaf) != nil || slices.ContainsFunc(plan.alternatives, func(a alternative) bool { return a.leaf == leaf }) {
		return refused(reasonInvalidPlan, "part %s is edited already", leaf.Number)
	}
	text, err := m.knownText(leaf)
	if err != nil {
		return refused(reasonOf(err), "%v", err)
	}
	text.markup = leaf.MediaType == "text/html"
	located, err := text.locate(edits)
	if err != nil {
		return err
	}
	if text.markup {
		located = withReferences(located, text.charset, leaf.encoding)
		if leaf.encoding == "base64" {
			located = text.byThrees(located)
		}
	}
	body, err := m.rewriteBody(leaf, text, located, recoded)
	if err != nil {
		return err
	}
	r := &rewrite{leaf: leaf, charset: body.charset, encoding: body.encoding, digest: body.digest}
	r.planFields(m, text.charset)
	if leaf == m.Root {
		if r.header, err = r.headerEdits(m); err != nil {
			return err
		}
		plan.Header = append(plan.Header, r.header...)
	} else {
		for _, f := range r.fields {
			plan.insert(f.edit)
		}
	}
	plan.Body = slices.Grow(plan.Body, len(body.edits))
	for _, e := range body.edits {
		plan.insert(e)
	}
	plan.rewrites = append(plan.rewrites, r)
	return nil
}

// locate turns edits of the unflowed text into edits of the content.
func (t leafText) locate(edits []Edit) ([]Edit, error) {
	unflowed := t.content
	var pieces []piece
	if t.flowed {
		var b strings.Builder
		b.Grow(len(t.content))
		t.unflow(&b, func(p piece) { pieces = append(pieces, p) })
		unflowed = b.String()
	}
	last := 0
	for i, e := range edits {
		switch {
		case e.Start < last, e.End <= e.Start, e.End > len(unflowed):
			return nil, refused(reasonInvalidPlan, "text edit %d: [%d,%d) after %d of %d", i, e.Start, e.End, last, len(unflowed))
		case !t.markup && strings.ContainsAny(unflowed[e.Start:e.End], "\r\n"), bytes.ContainsAny(e.New, "\r\n"):
			return nil, refused(reasonInvalidPlan, "text edit %d: more than one line", i)
		case !utf8.Valid(e.New), checkControls(string(e.New)) != nil, !onBoundaries(unflowed, e):
			return nil, refused(reasonInvalidPlan, "text edit %d: not valid text", i)
		}
		last = e.End
	}
	if !t.flowed {
		return edits, nil
	}
	located := make([]Edit, len(edits))
	for i, e := range edits {
		start, ok := place(pieces, e.Start)
		end, ok2 := place(pieces, e.End-1)
		if !ok || !ok2 {
			return nil, refused(reasonInvalidPlan, "text edit %d: not within a line", i)
		}
		located[i] = Edit{start, end + 1, e.New}
	}
	after := t
	after.content = spliced(t.content, located)
	if after.unflowed() != spliced(unflowed, edits) {
		return nil, refused(reasonInvalidPlan, "lines would join or part")
	}
	return located, nil
}

// place translates an offset of the unflowed text to one of the content.
func place(pieces []piece, offset int) (int, bool) {
	i, found := slices.BinarySearchFunc(pieces, offset, func(p piece, offset int) int { return p.unflowed - offset })
	if !found {
		i--
	}
	if i < 0 || offset >= pieces[i].unflowed+pieces[i].length {
		return 0, false
	}
	return pieces[i].content + offset - pieces[i].unflowed, true
}

// byThrees returns edits of HTML with spaces in tags beside them, so that each adds bytes by threes
// where such a tag is and the charset writes characters in bytes of their own. In base64, the digits
// behind them then stay.
func (t leafText) byThrees(edits []Edit) []Edit {
	var size func(text string) int
	if t.charset == "utf-8" || t.charset == "us-ascii" {
		size = func(text string) int { return len(text) }
	} else if _, single := charset.Lookup(t.charset).(*charmap.Charmap); single {
		size = utf8.RuneCountInString
	} else {
		return edits
	}
	padded := slices.Clone(edits)
	for i := range padded {
		e := &padded[i]
		next := len(t.content)
		if i+1 < len(padded) {
			next = padded[i+1].Start
		}
		growth := size(string(e.New)) - size(t.content[e.Start:e.End])
		e.pad(t.content[:next], (3-growth%3)%3)
	}
	return padded
}

// pad adds spaces before the ">" of a tag that the edit writes, or of the end tag that follows it.
func (e *Edit) pad(text string, spaces int) {
	space := bytes.Repeat([]byte(" "), spaces)
	if open := bytes.IndexByte(e.New, '<'); open >= 0 {
		if i := bytes.IndexByte(e.New[open:], '>'); i >= 0 {
			e.New = slices.Insert(slices.Clone(e.New), open+i, space...)
			return
		}
	}
	const longestName = 10 // blockquote
	if rest := text[e.End:]; len(e.New) > 0 && strings.HasPrefix(rest, "</") {
		name := rest[len("</"):min(len(rest), len("</")+longestName+1)]
		if i := strings.IndexByte(name, '>'); i > 0 && !strings.ContainsFunc(name[:i], func(r rune) bool { return !ascii.IsAlphanumeric(r) }) {
			e.New = slices.Concat(e.New, []byte("</"+name[:i]), space)
			e.End += len("</") + i
		}
	}
}
