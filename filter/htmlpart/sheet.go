package htmlpart

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// sheet has what the style sheets of a document may hide: classes, ids, attributes
// and elements that a selector of a rule with such a declaration ends in; and what they
// put beside elements. Which rule wins, and in which medium, it does not say.
type sheet struct {
	classes, ids, attributes, elements map[string]bool
	all                                bool    // some selector names none of these
	directs                            bool    // some rule sets a direction
	fromRight                          bool    // some rule sets that from right to left
	counts                             bool    // some selector depends on the place of an element: ":nth-child(2n)", "i + i"
	borrows                            bool    // it may use custom properties, which style attributes may set
	showsCustom                        bool    // some rule shows the text of a custom property
	counted                            [][]nth // what the selectors of rules count that hide, or show

	conditions []condition // of selectors of such rules

	palette palette // colors that rules set
	painted *sheet  // the elements that have one of them, or may be shown in hidden ones; nil for none

	moved     *sheet // the elements that may lie over others; nil for none
	covering  *sheet // those of them that a style stretches; nil for none
	reordered *sheet // those whose order, or that of their children, is another one; nil for none

	rows   *sheet // those in a row or a box, whose order a direction may change; nil for none
	inLine *sheet // the elements that may be beside the text before them; nil for none
	touch  *sheet // those of them that no white space is shown around; nil for none
	inRow  *sheet // those whose children may be beside each other; nil for none

	cutting *sheet // the elements that cut off what does not fit; nil for none
	letters *sheet // the elements whose first letter a rule hides or moves; nil for none
	floats  *sheet // those whose first letter floats, so that it may be behind the others; nil for none
	lines   *sheet // those whose first line it hides; nil for none
	narrow  *sheet // the elements that may be too narrow for a host; nil for none
	room    pixels // the least of their widths in pixels
	fixed   bool   // some rule keeps the columns of a table from growing with their texts

	texts       []generatedAt // that it puts before and after elements
	signs       []generatedAt // those of them that are syntax of URLs
	moreSigns   bool          // there are more of them
	shown       []string      // attributes whose values are in these texts
	generating  *sheet        // all elements with one of them; nil for none
	moreTexts   *sheet        // those with a text that is not kept; nil for none
	quoting     []quotesAt
	moreQuotes  bool // there are more of them
	customs     []customText
	lastCustoms map[string]string // the last text of each of them
	alphabets   bool              // it defines how counters are shown in letters
	unread      letters           // of its rules
}

// generatedAt is a text that a style sheet puts before or after some elements.
type generatedAt struct {
	text  string
	where insertKind // before, after or both
	at    *sheet
}

// quotesAt are the quotes that a style sheet gives some elements.
type quotesAt struct {
	quotes
	at *sheet
}

// customText is the text of a custom property, and the selectors of its rule.
type customText struct {
	property, text string
	at             *sheet // nil for a style attribute
}

func newSheet() sheet {
	return sheet{
		classes: make(map[string]bool), ids: make(map[string]bool),
		attributes: make(map[string]bool), elements: make(map[string]bool),
	}
}

const (
	// maxSelectors bounds the names that a sheet keeps.
	maxSelectors = 1 << 14
	// maxSelector is the number of bytes of a selector that are read.
	maxSelector = 1 << 10
)

// apply notes what declarations of a rule, which make a style, may hide. Those of a sheet that is
// not here may hide everything.
func (s *sheet) apply(style *style, declarations string, open []string) {
	if _, rule, ok := strings.Cut(declarations, "@"); ok && ascii.HasPrefixFold(rule, "import") {
		s.all = s.all || !isOfFonts(rule[len("import"):])
		return
	}
	s.unread.add(style.letters)
	s.directs, s.fromRight = s.directs || style.directs, s.fromRight || style.rightToLeft
	if style.mayHide() {
		_, isKnown := colorOf(style.color)
		fades := style.color == "transparent" || isKnown && mayMatch(style.color, style.background)
		hides := fades || style.gone() || style.font == unseen || style.visibility == unseen || style.grows <= tooSmall
		if hides {
			s.lines = withPart(s.lines, open, ":first-line")
			s.letters = withPart(s.letters, open, ":first-letter")
		}
		s.hide(open)
		s.all = s.all || !isInRule(declarations, open)
	}
	if len(open) > 0 && (style.mayHide() || style.displayed) {
		s.distinguish(open[len(open)-1], style.displayed)
	}
	if style.moved || style.beside || style.indented && style.isMoved(false) {
		s.moved = s.moved.with(open)
	}
	if style.covers() {
		s.covering = s.covering.with(open)
	}
	if style.floats {
		s.floats = withPart(s.floats, open, ":first-letter")
	}
	s.applyBox(style, open)
	if style.reorders {
		s.reordered = s.reordered.with(open)
	}
	if style.row || style.isBox {
		s.rows = s.rows.with(open)
	}
	if where := style.inLine(); where == touching {
		s.touch = s.touch.with(open)
	} else if where != notBeside {
		s.inLine = s.inLine.with(open)
	}
	if style.inRow() {
		s.inRow = s.inRow.with(open)
	}
	if style.color == "" && style.background == "" && style.font != shown && style.visibility != shown {
		return
	}
	s.palette.addBackground(style.background)
	s.palette.addText(style.color)
	s.painted = s.painted.with(open)
}

// withPart returns a sheet with the elements of which a rule names a part. part may be nil.
func withPart(s *sheet, open []string, part string) *sheet {
	for _, selectors := range open {
		if strings.Contains(strings.ToLower(selectors), part) {
			s = s.with(open)
		}
	}
	return s
}

// applyBox notes what a style makes of texts that are longer than their box.
func (s *sheet) applyBox(style *style, open []string) {
	s.fixed = s.fixed || style.box.fixed
	if style.box.cuts || style.box.anywhere {
		s.cutting = s.cutting.with(open)
	}
	room := style.box.room()
	if room == 0 || room >= widest {
		return
	}
	if s.narrow == nil || room < s.room {
		s.room = room
	}
	s.narrow = s.narrow.with(open)
}

// isInRule reports whether declarations are those of a rule, or of something that is not for
// elements such as a font. Others come after a bracket that may end no rule.
func isInRule(declarations string, open []string) bool {
	if len(open) == 0 {
		first := trim(declarations)
		return first == "" || first[0] == '@' || first[0] == '<'
	}
	for _, name := range [...]string{"@media", "@supports", "@layer", "@container"} {
		if ascii.HasPrefixFold(open[len(open)-1], name) && len(open) == 1 {
			return false
		}
	}
	return true
}

// mayHide reports whether the style may hide a text.
func (s *style) mayHide() bool {
	return s.gone() || s.doubt || s.grows <= tooSmall || mayMatch(s.color, s.background)
}

// with returns the sheet, or a new one in place of nil, with the innermost selectors of a rule.
func (s *sheet) with(open []string) *sheet {
	if s == nil {
		elements := newSheet()
		s = &elements
	}
	s.hide(open)
	return s
}

// distinguish notes by what the selectors of a rule that hides or shows elements tell them from
// others.
func (s *sheet) distinguish(selectors string, shows bool) {
	if s.counts && len(s.counted) < maxCounted {
		if counted := nthsOf(selectors); len(counted) > 0 {
			s.counted = append(s.counted, counted)
		}
	}
	if len(s.conditions) < maxConditions {
		s.conditions = conditionsOf(s.conditions, selectors, shows)
	}
}

// hide notes the innermost selectors of a rule that may hide.
func (s *sheet) hide(open []string) {
	for i := len(open) - 1; i >= 0; i-- {
		if strings.HasPrefix(open[i], "@") || i > 0 && isOfParent(open[i]) {
			continue
		}
		for selector := range strings.SplitSeq(open[i], ",") {
			s.add(trim(selector))
		}
		return
	}
}

// isOfParent reports whether the selectors of a rule are those of the rule around, with something
// of the same elements: "&::before".
func isOfParent(selectors string) bool {
	for selector := range strings.SplitSeq(selectors, ",") {
		selector = trim(selector)
		if !strings.HasPrefix(selector, "&:") || strings.ContainsAny(selector, " \t\r\n\f>+~([") {
			return false
		}
	}
	return true
}

// add notes the element that a selector ends in.
func (s *sheet) add(selector string) {
	if len(selector) > maxSelector || len(s.classes)+len(s.ids)+len(s.attributes)+len(s.elements) > maxSelectors {
		s.all = true
		return
	}
	selector = withoutCounts(strings.ReplaceAll(selector, "~=", "="))
	last := strings.ToLower(selector[strings.LastIndexAny(selector, " \t\r\n\f>+~")+1:])
	_, condition, _ := strings.Cut(selector, "[")
	condition, _, _ = strings.Cut(condition, "]")
	if strings.Contains(last, ":not(") || strings.Contains(condition, " ") {
		s.all = true
		return
	}
	found := false
	for i := 0; i < len(last); {
		n := i + 1
		for n < len(last) && !endsName(last[n]) {
			n++
		}
		name := last[i:n]
		switch set := s.namesAfter(last[i]); {
		case set != nil && len(name) > 1:
			set[name[1:]] = true
			found = true
		case i == 0 && last[0] != ':' && last[0] != '*' && last[0] != '&':
			if !strings.ContainsAny(last, ".#[") {
				s.elements[name] = true
			}
			found = true
		}
		i = n
	}
	s.all = s.all || !found
}

// endsName reports whether a character of a selector is behind a name.
func endsName(c byte) bool {
	switch c {
	case '.', '#', '[', ':', ']', '=', '~', '^', '$', '*', '|', '(', ')':
		return true
	}
	return false
}

// namesAfter returns the names that a mark is before in selectors, nil for another character.
func (s *sheet) namesAfter(mark byte) map[string]bool {
	switch mark {
	case '.':
		return s.classes
	case '#':
		return s.ids
	case '[':
		return s.attributes
	}
	return nil
}

// countsElements reports whether a selector depends on the place of an element among others.
func countsElements(selector string) bool {
	if strings.IndexByte(selector, '+') >= 0 || strings.IndexByte(selector, '~') >= 0 {
		return true
	}
	if strings.IndexByte(selector, ':') < 0 {
		return false
	}
	selector = strings.ToLower(selector)
	return strings.Contains(selector, ":nth-") || strings.Contains(selector, "-child") || strings.Contains(selector, "-of-type")
}

// withoutCounts returns a selector without the numbers of ":nth-child( 2n + 1 )" and the like,
// whose signs and spaces combine nothing.
func withoutCounts(selector string) string {
	for at := len(selector); ; {
		at = strings.LastIndexByte(selector[:at], '(')
		if at < 0 {
			return selector
		}
		count, after, ok := strings.Cut(selector[at+1:], ")")
		if ok && strings.Trim(strings.ToLower(count), "0123456789n+- \t\r\n\fevod") == "" {
			selector = selector[:at] + after
		}
	}
}

// mayHide reports whether a rule may hide an element. A nil sheet hides nothing.
func (s *sheet) mayHide(name string, a *attributes) bool {
	if s == nil {
		return false
	}
	if s.all || s.elements[name] || a.id != "" && s.ids[strings.ToLower(a.id)] {
		return true
	}
	if a.class != "" && len(s.classes) > 0 {
		for class := range strings.FieldsSeq(a.class) {
			if s.classes[strings.ToLower(class)] {
				return true
			}
		}
	}
	for _, name := range a.names {
		if s.attributes[name] {
			return true
		}
	}
	return false
}

// paints reports whether a rule may give an element a color, or show its text in one that
// is hidden. A nil sheet paints nothing.
func (s *sheet) paints(name string, a *attributes) bool {
	return s != nil && s.painted.mayHide(name, a)
}

// inLineAt says whether a rule may put an element beside the text before it. A nil sheet puts
// nothing there.
func (s *sheet) inLineAt(name string, a *attributes) beside {
	switch {
	case s == nil:
	case s.touch.mayHide(name, a):
		return touching
	case s.inLine.mayHide(name, a):
		return apart
	}
	return notBeside
}

// rowAt reports whether a rule may put the children of an element in a row. A nil sheet has no rows.
func (s *sheet) rowAt(name string, a *attributes) bool { return s != nil && s.inRow.mayHide(name, a) }

// mayBlend reports whether the text of an element may be unreadable on its background,
// where a rule sets one of the colors. painted is true if the element sets one itself. A
// nil sheet has no colors.
func (s *sheet) mayBlend(name string, a *attributes, l *look, painted bool) bool {
	paints := s.paints(name, a)
	switch {
	case s == nil || !paints && !painted:
		return false
	case l.color != "" && s.palette.hides(l.color):
		return true
	}
	return paints && s.palette.blended || l.background != "" && s.palette.hasTextOn(l.background)
}

// parts returns the sheets of rules of one kind. They may be nil.
func (s *sheet) parts() [15]*sheet {
	return [...]*sheet{
		s.painted, s.moved, s.covering, s.reordered, s.rows, s.inLine, s.touch, s.inRow, s.cutting, s.narrow, s.letters, s.lines,
		s.generating, s.moreTexts, s.floats,
	}
}

// asksForNames reports whether rules depend on the attributes of elements. A nil sheet has no
// rules.
func (s *sheet) asksForNames() bool {
	if s == nil || len(s.attributes) > 0 {
		return s != nil
	}
	for _, part := range s.parts() {
		if part.asksForNames() {
			return true
		}
	}
	return slices.ContainsFunc(s.signs, func(g generatedAt) bool { return g.at.asksForNames() }) ||
		slices.ContainsFunc(s.quoting, func(q quotesAt) bool { return q.at.asksForNames() }) ||
		slices.ContainsFunc(s.customs, func(c customText) bool { return c.at.asksForNames() })
}

// show notes the value of an attribute that the texts of the sheet show.
func (s *sheet) show(a *attributes, name, value string) {
	if !slices.Contains(s.shown, name) || len(value) > maxGeneratedText {
		return
	}
	if a.shown == nil {
		a.shown = make(map[string]string)
	}
	a.shown[name] = value
}

// test notes the conditions that hold for an attribute of an element in a reference.
func (s *sheet) test(a *attributes, name, value string) {
	for i := range s.conditions {
		if c := &s.conditions[i]; c.name == name && c.holds(value) {
			a.holds |= 1 << i
		}
	}
}
