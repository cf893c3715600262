package htmledit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// ErrUnproved says that a reader would see another change than the planned one.
var ErrUnproved = errors.New("a reader would see another change")

func unproved(err error) error { return fmt.Errorf("%w: %w", ErrUnproved, err) }

// marks are a source in which each splice has written a mark.
type marks struct {
	source   string // the source with the marks written into it
	original string
	splices  []Splice
	around   string // the character at both ends of each mark
}

// newMarks returns a source with marks. It chooses a character that the source does not contain.
func newMarks(source string, splices []Splice) (*marks, error) {
	m := &marks{original: source, splices: splices}
	for c := '\ue000'; c < '\uf8ff'; c++ {
		if !strings.ContainsRune(source, c) {
			m.around = string(c)
			break
		}
	}
	if m.around == "" {
		return nil, unproved(errors.New("the source has all marks"))
	}
	m.source = spliced(source, splices, m.mark)
	return m, nil
}

// mark returns the mark of a splice. In place of a removed attribute the mark stands
// between spaces, so that parsers read it as the name of an attribute.
func (m *marks) mark(i int) string {
	mark := m.around + strconv.Itoa(i) + m.around
	if m.splices[i].Attribute != "" {
		return " " + mark + " "
	}
	return mark
}

// A reader appends what it reads of a source to events.
type reader func(ctx context.Context, events []event, source string) ([]event, error)

// readers returns the ways to read the source.
func (m *marks) readers() []reader {
	tree := func(scripts bool) reader {
		return func(ctx context.Context, events []event, source string) ([]event, error) {
			return treeOf(ctx, events, source, scripts)
		}
	}
	known := make(map[string]event)
	tokens := func(ctx context.Context, events []event, source string) ([]event, error) {
		return tokensOf(ctx, known, events, source)
	}
	readers := []reader{tokens, tree(false)}
	if containsFold(m.original, "<noscript") {
		readers = append(readers, tree(true))
	}
	return readers
}

// isMarked reports whether an event has a mark.
func (m *marks) isMarked(e *event) bool {
	return strings.Contains(e.text, m.around) || m.areMarked(e.attributes)
}

func (m *marks) areMarked(attributes []html.Attribute) bool {
	return slices.ContainsFunc(attributes, func(a html.Attribute) bool {
		return strings.Contains(a.Key, m.around) || strings.Contains(a.Val, m.around)
	})
}

// expand adds a marked event with its marks replaced by the old bytes of the source or, if written
// is set, by the new bytes.
func (m *marks) expand(r *reading, e event, written bool) {
	if e.kind == html.TextNode && written {
		m.expandText(r, e)
		return
	}
	e.text = m.replaced(e.text, e.raw, written)
	e.attributes = m.expandAttributes(e.attributes, written)
	r.add(e)
}

// expandText adds a marked text after the splices, which may write links in it.
func (m *marks) expandText(r *reading, e event) {
	rest := e.text
	var text strings.Builder
	for {
		before, i, after, ok := m.cut(rest)
		if !ok {
			break
		}
		text.WriteString(before)
		if s := &m.splices[i]; !s.writesMarkup() || e.raw {
			text.WriteString(m.bytes(i, e.raw, true))
		} else {
			r.add(event{kind: html.TextNode, text: text.String()})
			for _, e := range s.events() {
				r.add(e)
			}
			text.Reset()
		}
		rest = after
	}
	text.WriteString(rest)
	r.add(event{kind: html.TextNode, text: text.String(), raw: e.raw})
}

// replaced returns a text with the marks replaced by the bytes of their splices.
func (m *marks) replaced(text string, raw, written bool) string {
	if !strings.Contains(text, m.around) {
		return text
	}
	var b strings.Builder
	for {
		before, i, after, ok := m.cut(text)
		if !ok {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before + m.bytes(i, raw, written))
		text = after
	}
}

// cut returns the text before and after the first mark, and the index of its splice.
func (m *marks) cut(text string) (before string, splice int, after string, ok bool) {
	before, rest, ok := strings.Cut(text, m.around)
	if !ok {
		return "", 0, "", false
	}
	number, after, ok := strings.Cut(rest, m.around)
	splice, err := strconv.Atoi(number)
	if !ok || err != nil || splice >= len(m.splices) {
		return "", 0, "", false
	}
	if m.splices[splice].Attribute != "" {
		before, after = strings.TrimSuffix(before, " "), strings.TrimPrefix(after, " ")
	}
	return before, splice, after, true
}

// bytes returns the text at a splice as a reader shows it: the new text if written is set, otherwise
// the old one.
func (m *marks) bytes(i int, raw, written bool) string {
	s := &m.splices[i]
	text := m.original[s.Start:s.End]
	if written {
		text = s.written()
	}
	if raw {
		return newlines.Replace(text)
	}
	return shown(text)
}

// expandAttributes returns the attributes of an element with the marks replaced. Of several with one
// name, the first counts.
func (m *marks) expandAttributes(marked []html.Attribute, written bool) []html.Attribute {
	var all []html.Attribute
	known := make(map[string]bool, len(marked))
	for _, a := range marked {
		before, i, after, ok := m.cut(" " + a.Key + " ")
		if ok && strings.TrimSpace(before+after) == "" && a.Val == "" && m.splices[i].Attribute != "" {
			if written {
				continue
			}
			a = html.Attribute{Key: m.splices[i].Attribute, Val: m.splices[i].value}
		}
		a.Val = m.replaced(a.Val, false, written)
		if name := nameOf(a); !known[name] {
			known[name] = true
			all = append(all, a)
		}
	}
	return all
}
