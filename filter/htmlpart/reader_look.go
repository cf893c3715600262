package htmlpart

import (
	"cmp"
	"hash/maphash"
	"strings"
	"sync"

	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/recent"
)

// enter makes l, the look around an element with a style, that of the element. serial is a
// number of its own. It reports whether a style takes the element from its place.
func (r *reader) enter(l *look, tag atom.Atom, name string, a *attributes, s *style, serial int) (moved bool) {
	l.isolated = !l.fromLeft && (l.isolated || tag == atom.Bdi)
	l.island = (tag == atom.Bdi || a.dir != "") && (l.fromRight || l.fromAuto || r.sheet != nil && r.sheet.fromRight)
	l.reordered = l.reordered || l.fromRight && tag == atom.Table
	l.generated, l.cuts, l.floats = nil, 0, false
	if tag == atom.Mark {
		l.background = "yellow"
	}
	if a == &noAttributes && r.sheet == nil && !mayHide(tag) && tag != atom.Bdi && !(tag == atom.Q && l.quotes != nil) && !isSmaller(tag) && name != dataIsland && name != unknownTemplate && !isPlaced(name) {
		l.setOff, l.apart, l.inRow = l.apart, false, l.inRow && tag == atom.A
		return false
	}
	if s.inField || s.outField {
		r.instruction = 0
		if s.inField {
			r.instruction, r.fields = serial, true
		}
	}
	r.letters.enter(tag, a, s)
	inline := !splits(tag) && !s.splits
	fromRight := s.rightToLeft || strings.EqualFold(a.dir, "rtl")
	isPlaced := isPlaced(name)
	isRow := s.row || s.columns || s.isBox || tag == atom.Table || r.sheet != nil && (l.fromRight || r.sheet.fromRight) && r.sheet.rows.mayHide(name, a)
	switch {
	case fromRight:
		l.fromRight = true
	case s.directs || a.dir != "":
		l.fromRight = false
	}
	if tag == atom.Bdi || a.dir != "" {
		l.fromAuto = !strings.EqualFold(a.dir, "ltr")
	}
	l.reordered = l.reordered || s.reorders || isRow && (l.fromRight || r.sheet != nil && r.sheet.fromRight) || isPlaced
	if tag == atom.Bdi || a.dir != "" || s.directs {
		l.fromLeft = tag == atom.Bdi && strings.EqualFold(a.dir, "ltr") && !s.directs && (r.sheet == nil || !r.sheet.directs && !r.sheet.all)
	}
	r.fit(l, tag, name, a, &s.box)
	moved = s.isMoved(inline) || tag == atom.Dialog
	if s.covers() || r.sheet != nil && r.sheet.covering.mayHide(name, a) {
		r.covering = serial
	}
	if r.sheet != nil {
		moved = moved || r.sheet.moved.mayHide(name, a)
		l.reordered = l.reordered || r.sheet.reordered.mayHide(name, a)
		r.sheet.borrow(a.style)
		l.floats = r.sheet.floats.mayHide(name, a)
		l.cutsLine = r.sheet.lines.mayHide(name, a)
		if l.cutsLine || r.sheet.letters.mayHide(name, a) {
			l.cuts = serial
		}
	}
	l.quotes = r.sheet.quotesAt(name, a, &s.quotes, l.quotes)
	l.generated = r.textsBeside(tag, name, a, s, l.quotes)
	l.moved = l.moved || moved
	if a.title != "" {
		l.title = strings.Clone(a.title)
	}
	gone := s.gone() || s.flat && s.clipped && !inline
	hiddenByTag := tag == atom.Template || name == unknownTemplate || tag == atom.Rp || tag == atom.Datalist || tag == atom.Dialog && !a.open
	if (a.hidden || hiddenByTag) && !s.displayed || tag == atom.Template || isHiddenInput(tag, a) {
		gone = true
	}
	if gone {
		l.gone, l.goneAt = true, serial
	}
	l.tiny = s.font.over(l.tiny)
	l.shrink(tag, s)
	l.invisible = s.visibility.over(l.invisible)
	l.setOff, l.apart = s.splits || l.apart, s.row && s.gaps
	l.inRow = s.inRow() || l.inRow && tag == atom.A || r.sheet.rowAt(name, a)
	if strings.EqualFold(a.dir, "rtl") && (tag == atom.Bdo || s.override) || s.override && s.rightToLeft {
		l.turned = true
	}
	color := cmp.Or(s.color, a.color, r.colorOfLink(tag))
	painted := color != "" || s.background != "" || a.background != ""
	l.color, l.background = cmp.Or(color, l.color), cmp.Or(s.background, a.background, l.background)
	if tag == atom.Body && mayMatch(a.linkColor, l.background) {
		r.linkColor = a.linkColor
	}
	blends := painted && (l.blends() || mayMatch(a.color, l.background)) || r.sheet.mayBlend(name, a, l, painted)
	shows := l.doubt != 0 && (s.font == shown || s.visibility == shown || painted || r.sheet.paints(name, a))
	l.veiled = l.veiled || s.veiled || blends
	if gone || s.doubt || l.shrunk <= tooSmall || a.hidden || mayHide(tag) || name == dataIsland || name == unknownTemplate || a.face != "" && isPictorial(a.face) || blends || shows || r.sheet.mayHide(name, a) {
		l.doubt, l.kind, l.named, l.holds = serial, kindOf(name, a), r.sheet.mayHide("", a) || r.sheet.paints("", a), a.holds
	}
	return moved
}

// enter notes an element with attributes and a style.
func (l *letters) enter(tag atom.Atom, a *attributes, s *style) {
	l.add(s.letters)
	switch tag {
	case atom.Ol, atom.Ul, atom.Menu:
		l.numbered = l.numbered || strings.EqualFold(a.typ, "a")
		l.counted = l.counted || hasWordNumber(a.start)
	case atom.Li:
		l.numbered = l.numbered || strings.EqualFold(a.typ, "a")
		l.counted = l.counted || hasWordNumber(a.value)
	}
}

// isPlaced reports whether an element, by its local name, may be in another place than in the text around: by
// its coordinates, as a script or index in MathML, or before the rest of details.
func isPlaced(name string) bool {
	switch name {
	case "text", "tspan", "textpath", "foreignobject", "mmultiscripts", "mroot", "mpadded", "mover", "munder", "munderover", "summary":
		return true
	}
	return false
}

// textsBeside returns the texts that programs show before and after an element that has some quotes,
// nil for none.
func (r *reader) textsBeside(tag atom.Atom, name string, a *attributes, s *style, q *quotes) *besideTexts {
	showsOwn := r.sheet != nil && r.sheet.showsCustom && strings.Contains(a.style, customMark)
	if tag != atom.Q && name != "ms" && s.text == "" && !showsOwn && !r.sheet.hasTexts(name, a) {
		return nil
	}
	t := new(besideTexts)
	switch {
	case tag == atom.Q && q != nil:
		t.before.add(q.open)
		t.after.add(q.close)
		t.unsure = q.unsure
	case name == "ms":
		t.before.add(a.leftQuote)
		t.after.add(a.rightQuote)
	}
	if showsOwn {
		text := textsOfCustom(plainCSS(a.style))
		t.before.add(text)
		t.after.add(text)
	}
	t.before.add(s.text)
	r.sheet.addTexts(t, name, a, q)
	return t.orNil()
}

// inLine says whether an element may be beside the text before it, given the look around it: a cell,
// a table at a side, an object, or a block that a style puts there.
func (r *reader) inLine(tag atom.Atom, name string, a *attributes, s *style, around *look) beside {
	if tag == atom.Td || tag == atom.Th || tag == atom.Table && a.atSide || around.inRow {
		return touching
	}
	inLine := max(s.inLine(), r.sheet.inLineAt(name, a))
	if tag == atom.Object || tag == atom.Svg || tag == atom.Button || tag == atom.Input || tag == atom.Select || tag == atom.Textarea {
		inLine = max(inLine, apart)
	}
	return inLine
}

// isHiddenInput reports whether an element is an input that browsers never show.
func isHiddenInput(tag atom.Atom, a *attributes) bool {
	return tag == atom.Input && strings.EqualFold(a.typ, "hidden")
}

// colorOfLink returns the color that the body gives an element, if that may be unreadable.
func (r *reader) colorOfLink(tag atom.Atom) string {
	if tag != atom.A {
		return ""
	}
	return r.linkColor
}

// inField returns how a text is shown, given the look of its element: Outlook does not show the
// instruction of a field.
func (r *reader) inField(l *look) *look {
	if r.instruction == 0 {
		return l
	}
	inside := *l
	inside.doubt, inside.kind = r.instruction, uint64(r.instruction)
	return &inside
}

// unknownTemplate is the element in place of a template that withoutTemplates writes.
const unknownTemplate = "templatx-e"

// dataIsland is an element of data, which Outlook does not show.
const dataIsland = "xml"

// kindOf returns a number for the elements with a name and the same style, class and color.
func kindOf(name string, a *attributes) uint64 {
	kind := maphash.String(seed, name)
	for _, s := range [...]string{a.style, a.class, a.color} {
		kind *= hashStep
		if s != "" {
			kind ^= maphash.String(seed, s)
		}
	}
	return kind
}

const (
	// maxStyles is the number of style attributes whose style is remembered.
	maxStyles = 4096
	// maxStyle is their length in bytes.
	maxStyle = 512
)

// styles remembers the styles of style attributes: mail repeats a few, also from message to message.
var styles = sync.OnceValue(func() *recent.Table[style] { return recent.NewTable[style](maxStyles) })

// rememberedStyle returns the style of a style attribute, which callers must not change.
func rememberedStyle(declarations string) *style {
	if declarations == "" {
		return &noStyle
	}
	if len(declarations) > maxStyle {
		s := styleOf(declarations)
		return &s
	}
	if s := styles().Get(declarations); s != nil {
		return s
	}
	declarations = strings.Clone(declarations)
	s := styleOf(declarations)
	styles().Put(declarations, s)
	return &s
}

// styleOf returns the style of an element with its style attribute; that of SVG and MathML also has
// presentation attributes (SVG 2 §6.6), which count less.
func (a *attributes) styleOf(foreign bool) *style {
	if foreign && a.presented != "" {
		return rememberedStyle(a.presented + a.style)
	}
	return rememberedStyle(a.style)
}

// noStyle is the style of an element without a style attribute.
var noStyle style

// attribute notes an attribute of an element, with what the style sheets ask of it. Its name is in lower
// case.
func (r *reader) attribute(a *attributes, name, value string, inLink bool) {
	a.set(name, value)
	if r.sheet == nil {
		return
	}
	if r.asksForNames {
		a.names = append(a.names, name)
	}
	r.sheet.show(a, name, value)
	if inLink {
		r.sheet.test(a, name, value)
	}
}
