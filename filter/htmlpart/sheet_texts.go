package htmlpart

import (
	"maps"
	"slices"
	"strings"
)

// generate notes a text that a rule puts before or after elements, with its selectors.
func (s *sheet) generate(text string, open []string) {
	if text == "" {
		return
	}
	where := whereOf(open)
	if isSign(text) {
		s.signs = noteGenerated(s.signs, text, where, open, maxSigns)
		s.moreSigns = s.moreSigns || !slices.ContainsFunc(s.signs, func(g generatedAt) bool { return g.is(text, where) })
		return
	}
	if slices.ContainsFunc(open, func(rule string) bool { return strings.Contains(strings.ToLower(rule), "keyframes") }) {
		open = everywhere // that are animated
	}
	s.generating = s.generating.with(open)
	if len(text) > maxGeneratedText {
		s.moreTexts = s.moreTexts.with(open)
		return
	}
	i := slices.IndexFunc(s.texts, func(g generatedAt) bool { return g.is(text, where) })
	if i < 0 {
		if len(s.texts) == maxGenerated {
			s.moreTexts = s.moreTexts.with(open)
			return
		}
		i = len(s.texts)
		s.texts = append(s.texts, generatedAt{text: text, where: where})
		s.shown = append(s.shown, shownAttributes(text)...)
	}
	s.texts[i].at = s.texts[i].at.with(open)
}

// noteGenerated notes a text, if it is one of the first most ones, and the selectors of its rule.
func noteGenerated(texts []generatedAt, text string, where insertKind, open []string, most int) []generatedAt {
	i := slices.IndexFunc(texts, func(g generatedAt) bool { return g.is(text, where) })
	if i < 0 {
		if len(texts) == most {
			return texts
		}
		i, texts = len(texts), append(texts, generatedAt{text: text, where: where})
	}
	texts[i].at = texts[i].at.with(open)
	return texts
}

// is reports whether a text is that of the rule, at the same place.
func (g *generatedAt) is(text string, where insertKind) bool {
	return g.text == text && g.where == where
}

// whereOf says where a rule shows a text, given its selectors and those around.
func whereOf(open []string) (where insertKind) {
	for _, selectors := range open {
		selectors = strings.ToLower(selectors)
		if strings.Contains(selectors, "before") || strings.Contains(selectors, "marker") {
			where |= ofBefore
		}
		if strings.Contains(selectors, "after") {
			where |= ofAfter
		}
	}
	if where == 0 {
		return ofBefore | ofAfter
	}
	return where
}

// hasTexts reports whether rules may put a text before or after an element. A nil sheet puts none.
func (s *sheet) hasTexts(name string, a *attributes) bool {
	return s != nil && (len(s.signs) > 0 || len(s.texts) > 0 && s.generating.mayHide(name, a))
}

// addTexts adds the texts that rules put before or after an element that has some quotes. A nil sheet
// has none.
func (s *sheet) addTexts(beside *besideTexts, name string, a *attributes, q *quotes) {
	if !s.hasTexts(name, a) {
		return
	}
	customs := s.customsAt(name, a)
	for i := range s.texts {
		g := &s.texts[i]
		if !g.at.all && g.at.mayHide(name, a) {
			text := g.textAt(a, customs, q)
			beside.unsure = beside.unsure || text != g.text && q != nil && q.unsure
			g.eachPlace(beside, func(at *textsAt) { at.add(text) })
		}
	}
	for i := range s.signs {
		g := &s.signs[i]
		if g.at.mayHide(name, a) {
			g.eachPlace(beside, func(at *textsAt) {
				if at.sign == "" {
					at.sign = g.text
					at.add(g.text)
				}
			})
		}
	}
}

// textAt returns the text at an element that has some custom properties and quotes.
func (g *generatedAt) textAt(a *attributes, customs map[string]string, q *quotes) string {
	return withQuotes(withAttributes(withCustoms(g.text, customs, 0), a.shown), q)
}

// eachPlace calls use with the places at an element where the text is.
func (g *generatedAt) eachPlace(beside *besideTexts, use func(*textsAt)) {
	if g.where&ofBefore != 0 {
		use(&beside.before)
	}
	if g.where&ofAfter != 0 {
		use(&beside.after)
	}
}

// maxQuotes is the number of quotes of a style sheet that are kept.
const maxQuotes = 8

// quote notes the quotes of a rule, with its selectors.
func (s *sheet) quote(value string, open []string) {
	q := quotesOf(value)
	if q == (quotes{}) {
		return
	}
	i := slices.IndexFunc(s.quoting, func(known quotesAt) bool { return known.quotes == q })
	if i < 0 {
		if len(s.quoting) == maxQuotes {
			s.moreQuotes = true
			return
		}
		i, s.quoting = len(s.quoting), append(s.quoting, quotesAt{quotes: q})
	}
	s.quoting[i].at = s.quoting[i].at.with(open)
}

// quotesAt returns the quotes of an element, given those of its own style and those around. A nil
// sheet has none.
func (s *sheet) quotesAt(name string, a *attributes, own, around *quotes) *quotes {
	var found *quotes
	if *own != (quotes{}) {
		found = own
	}
	if s != nil {
		for i := range s.quoting {
			if !s.quoting[i].at.mayHide(name, a) {
				continue
			}
			if found != nil { // which one counts is unknown
				return &quotes{found.open, found.close, true}
			}
			found = &s.quoting[i].quotes
		}
	}
	switch {
	case s != nil && s.moreQuotes:
		return &quotes{unsure: true}
	case found != nil:
		return found
	}
	return around
}

// generateAnywhere notes a text that rules may put before or after any element.
func (s *sheet) generateAnywhere(text string) {
	s.generate(text, everywhere)
}

// everywhere are the selectors of a rule for all elements.
var everywhere = []string{"*"}

// borrow notes the texts of custom properties in a style attribute.
func (s *sheet) borrow(declarations string) {
	if !s.borrows || !strings.Contains(declarations, customMark) && strings.IndexByte(declarations, '\\') < 0 {
		return
	}
	for declarations = plainCSS(declarations); declarations != ""; {
		var text string
		text, declarations = cutDeclaration(declarations)
		if d, ok := readDeclaration(text); ok {
			s.generateAnywhere(borrowedText(&d))
			s.noteCustom(&d, nil)
		}
	}
}

// maxCustoms is the number of texts of custom properties that are kept.
const maxCustoms = 16

// noteCustom notes the text of a custom property, with the selectors of its rule; none for a style
// attribute. Icons are in no host.
func (s *sheet) noteCustom(d *cssDeclaration, open []string) {
	if !strings.HasPrefix(d.property, customMark) {
		return
	}
	text := contentOf(withCustomMarks(d.written))
	if len(s.customs) == maxCustoms || len(text) > maxGeneratedText || !hasLetters(text) && !isSign(text) {
		return
	}
	custom := customText{property: d.property, text: text}
	if len(open) > 0 {
		custom.at = custom.at.with(open)
	}
	s.customs = append(s.customs, custom)
	if s.lastCustoms == nil {
		s.lastCustoms = make(map[string]string)
	}
	s.lastCustoms[custom.property] = text
	s.shown = append(s.shown, shownAttributes(text)...)
}

// customsAt returns the texts of custom properties at an element, by their names: those of its own rules,
// or of the last rules for others.
func (s *sheet) customsAt(name string, a *attributes) map[string]string {
	texts, isOwn := s.lastCustoms, false
	for i := range s.customs {
		if c := &s.customs[i]; c.at.mayHide(name, a) {
			if !isOwn {
				texts, isOwn = maps.Clone(texts), true
			}
			texts[c.property] = c.text
		}
	}
	return texts
}

// generates reports whether a rule may put a text before or after an element.
func (s *sheet) generates(name string, a *attributes) bool {
	return s != nil && s.generating.mayHide(name, a)
}
