package page

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// effects say what declarations do to the text of an element. Nothing else is read of style: how a
// moved, clipped, generated or reordered text looks is not computed. The last ones are for unseen.go,
// which asks what hides a text that programs read; the others are for the texts of links.
type effects uint32

const (
	hides     effects = 1 << iota // the element and its content are not shown
	invisible                     // its text is invisible, except in elements that make theirs visible
	visible                       // it undoes invisible
	zeroSized                     // its text has size zero, except in elements that set a size
	sized                         // it undoes zeroSized
	mayHide                       // some programs may hide it, or it can hardly be read
	moves                         // it may lie over other texts
	cuts                          // a box cuts off wider text
	narrow                        // the box is narrower than some hosts
	turnsText                     // its direction is set
	reverses                      // its characters are shown from right to left
	clips                         // only a part of it is shown
	generates                     // a style adds text
	reorders                      // its parts may be shown in another order
	contested                     // two rules give it colors, and which one wins is not worked out
	tiny                          // its letters have a pixel or two
	vanishes                      // it is transparent, or out of the page
	zeroBox                       // its box has no size
	veiled                        // a rule of a style sheet hides it
)

// styled are the effects with which a reader may see another text than the written one.
const styled = moves | clips | generates | reorders

// flow says how an element is placed next to others.
type flow uint8

const (
	asElement flow = iota // as the element's own default
	inline                // in the line
	block                 // on its own lines
	box                   // a box in the line; blanks around it are shown
	cell                  // a box next to others, without blanks between them
)

// style is what declarations say about an element.
type style struct {
	effects
	flow
	row          bool   // its children may be next to each other
	color        string // colour of the text
	background   string
	content      string // the texts that it generates
	displaysNone bool
	transparent  bool
	important    map[string]bool // properties whose declaration wins over later ones
	overrides    bool            // unicode-bidi applies the direction to each character
	fromRight    bool            // direction
}

// drawn stands for a generated text that is not known: a picture, the result of a function, or a text
// that is too long.
const drawn = "//"

// addContent adds a text to the generated texts. If they are too long together, drawn replaces them.
func addContent(to *string, text string) {
	const most = 4 << 10
	if *to += text; len(*to) > most {
		*to = drawn
	}
}

// matters reports whether the style says anything.
func (s *style) matters() bool {
	return s.effects != 0 || s.flow != asElement || s.row || s.color != "" || s.background != "" || s.content != ""
}

// add adds another style of the same element. Which of the two wins is not computed, so the effects
// of both count.
func (s *style) add(more *style) {
	s.effects |= more.effects
	s.addIf(s.color != "" && more.color != "" || s.background != "" && more.background != "", contested)
	if more.flow != asElement {
		s.flow = more.flow
	}
	s.row = s.row || more.row
	if more.color != "" {
		s.color = more.color
	}
	if more.background != "" {
		s.background = more.background
	}
	addContent(&s.content, more.content)
}

// inlineStyle reads a style attribute (CSS Style Attributes §3).
func inlineStyle(declarations string) (s style) {
	if declarations == "" {
		return s
	}
	declarations = withoutComments(declarations)
	p := css.NewParser(parse.NewInputString(declarations), true)
	for {
		kind, _, name := p.Next()
		switch kind {
		case css.ErrorGrammar:
			if p.HasParseError() {
				s.effects |= mayHide
				continue
			}
			return s.done()
		case css.DeclarationGrammar, css.CustomPropertyGrammar:
			s.declare(string(name), p.Values())
		}
	}
}

// withoutComments returns CSS without comments, because the parser does not accept them everywhere.
func withoutComments(source string) string {
	if !strings.Contains(source, "/*") {
		return source
	}
	return comments.ReplaceAllStringFunc(source, func(found string) string {
		if strings.HasPrefix(found, "/*") {
			return " "
		}
		return found
	})
}

// comments matches comments, and strings, which may contain something like a comment.
var comments = regexp.MustCompile(`(?s)"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|/\*.*?(?:\*/|$)`)

// done sets the effects that depend on several declarations.
func (s style) done() style {
	s.addIf(s.displaysNone || s.transparent, hides)
	s.addIf(s.overrides && s.fromRight, reverses)
	return s
}

// declare reads one declaration.
func (s *style) declare(name string, values []css.Token) {
	property, written := strings.ToLower(unescaped(name)), unescaped(textOf(values))
	value := strings.ToLower(written)
	value, _, isImportant := strings.Cut(value, "!important")
	property = withoutMaker(property)
	if s.important[property] && !isImportant {
		return
	}
	if valid := knownValues[property]; valid != nil && !isUnknown(value) && !valid.MatchString(trim(value)) {
		s.effects |= mayHide // programs ignore the declaration if they do not know the value
		return
	}
	if isImportant {
		if s.important == nil {
			s.important = make(map[string]bool)
		}
		s.important[property] = true
	}
	s.set(property, trim(value), trim(written))
}

// withoutMaker returns a property without its vendor prefix.
func withoutMaker(property string) string {
	for _, maker := range [...]string{"-webkit-", "-moz-", "-ms-"} {
		if rest, ok := strings.CutPrefix(property, maker); ok {
			return rest
		}
	}
	return property
}

// set reads a property and its value. For properties that hide a text, the last declaration counts.
func (s *style) set(property, value, written string) {
	if strings.Contains(value, "data:image/svg") || strings.Contains(value, "data:text") || strings.Contains(value, "url(#") {
		s.effects |= generates
		addContent(&s.content, drawn)
	}
	s.addIf(isUnknown(value), mayHide)
	s.effects |= unseenEffects(property, value)
	switch property {
	case "display":
		s.display(value)
	case "all": // it undoes the attribute hidden, too
		s.flow, s.displaysNone, s.transparent = inline, false, false
		s.effects = s.effects&^(invisible|zeroSized) | visible | sized | mayHide
	case "visibility":
		s.effects &^= visible | invisible
		s.addIf(value == "hidden" || value == "collapse", invisible)
		s.addIf(value == "visible" || value == "initial", visible)
	case "opacity", "fill-opacity":
		s.transparent = isZero(value)
		s.addIf(isSmall(value) || isPercentBelow(value, 70), mayHide)
	case "font-size":
		s.fontSize(value)
	case "font":
		for word := range strings.FieldsSeq(value) {
			size, _, hasLine := strings.Cut(word, "/")
			isWeight := !hasLine && strings.Trim(size, "0123456789") == "" && !isZero(size)
			if !isWeight && knownValues["font-size"].MatchString(size) {
				s.fontSize(size)
				break
			}
		}
	case "mso-hide":
		s.addIf(value == "all", hides)
		s.addIf(value != "none", mayHide)
	case "color", "text-fill-color", "fill":
		s.addIf(property == "text-fill-color" && value != s.color && !isInherited(value), mayHide) // few programs know this property
		s.color = value
	case "background", "background-color", "background-image":
		if property != "background-image" || strings.Contains(value, "gradient(") {
			s.background = value
			s.addIf(strings.Contains(value, "currentcolor"), mayHide)
		}
	case "content":
		s.generate(value, written)
	case "overflow", "overflow-x", "overflow-y":
		s.addIf(value == "hidden" || value == "clip", mayHide)
		s.addIf(value != "visible" && value != "unset" && value != "initial", cuts)
	case "width", "max-width", "height", "max-height", "inline-size", "block-size", "max-inline-size", "max-block-size":
		s.addIf(isSmall(value), mayHide)
		s.addIf(isZero(value), moves)
		s.effects |= narrowness(value)
	case "table-layout":
		s.addIf(value == "fixed", cuts)
	case "white-space":
		s.addIf(value == "nowrap" || value == "pre", narrow)
	default:
		s.setRare(property, value, written)
	}
}

func (s *style) addIf(condition bool, e effects) {
	if condition {
		s.effects |= e
	}
}

// display reads a value of display.
func (s *style) display(value string) {
	s.displaysNone = value == "none"
	s.row = strings.HasSuffix(value, "flex") || strings.HasSuffix(value, "grid") || strings.HasSuffix(value, "box")
	switch {
	case value == "none":
	case value == "table-cell":
		s.flow = cell
	case strings.HasPrefix(value, "table-column"):
		s.displaysNone = true
	case strings.HasPrefix(value, "inline-"):
		s.flow = box
	case value == "inline" || strings.HasPrefix(value, "inline ") || value == "contents" || value == "ruby" || value == "initial" || value == "unset":
		s.flow = inline
	case value == "inherit" || value == "revert":
	default:
		s.flow = block
	}
}

// knownValues match the values that programs know for properties that hide a text or undo that.
// Programs ignore a later declaration with an unknown value.
var knownValues = map[string]*regexp.Regexp{
	"display":    regexp.MustCompile(`^(?:none|block|inline|contents|ruby|initial|unset|inherit|revert|flow-root|list-item|math|run-in|(?:inline-|-webkit-|-ms-|inline )?(?:block|table|flex|flexbox|grid|box|flow)|table-[a-z-]+)(?: .*)?$`),
	"visibility": regexp.MustCompile(`^(?:visible|hidden|collapse|initial|unset|inherit|revert)$`),
	"opacity":    regexp.MustCompile(`^(?:[+-]?[0-9.]+%?|initial|unset|inherit|revert)$`),
	"font-size": regexp.MustCompile(`^(?:\+?[0-9.]+(?:%|px|p[tc]|in|[cm]m|q|r?(?:em|ex|ch|cap|ic|lh)|[sld]?v(?:[whib]|min|max))?|[a-z-]+\(.*` +
		`|(?:x*-?(?:small|large)|medium|initial)|smaller|larger|unset|inherit|revert)$`),
}

// fontSize reads a font size.
func (s *style) fontSize(value string) {
	s.effects &^= zeroSized | sized
	const readable = 5 // pixels
	number, unit := cutNumber(value)
	switch {
	case isZero(value):
		s.effects |= zeroSized
	case strings.HasSuffix(value, "small"), strings.HasSuffix(value, "large"), value == "medium", value == "initial":
		s.effects |= sized
	case unit == "%" || unit == "em" || unit == "ex" || unit == "ch" || number == "":
		s.addIf(isSmall(value) || isPercentBelow(value, 60), mayHide)
	case most(value) < readable:
		s.effects |= mayHide
	default:
		s.effects |= sized
	}
}

// generate reads the strings that a style adds to the text.
func (s *style) generate(value, written string) {
	if !strings.ContainsAny(value, `"'(`) {
		return
	}
	text := strings.Map(func(r rune) rune {
		if r == '"' || r == '\'' {
			return -1
		}
		return r
	}, written)
	if strings.Contains(text, "(") {
		text += drawn
	}
	if strings.TrimSpace(text) != "" {
		addContent(&s.content, text)
		s.effects |= generates
	}
}

// setRare reads the properties that set does not have.
func (s *style) setRare(property, value, written string) {
	s.addIf(movesText(property, value), moves)
	s.addIf(clipsText(property, value), clips|cuts|narrow|mayHide)
	s.addIf(reordersText(property, value), reorders)
	s.addIf(mayHideText(property, value), mayHide)
	switch property {
	case "grid-template", "grid-template-columns", "grid-auto-columns", "flex", "flex-basis":
		for word := range strings.FieldsSeq(value) {
			if _, unit := cutNumber(word); unit != "" { // numbers without a unit are factors
				s.effects |= narrowness(word)
			}
		}
	case "direction":
		s.effects |= turnsText
		s.fromRight = value == "rtl"
	case "unicode-bidi":
		s.overrides = strings.Contains(value, "override")
	case "float":
		if value != "none" {
			s.flow = cell
		}
	case "columns", "column-count":
		s.row = true
	case "mso-element":
		s.addIf(strings.HasPrefix(value, "field"), reorders)
	case "quotes", "list-style", "list-style-type", "hyphenate-character", "symbols", "prefix", "suffix":
		s.generate(value, written)
	default:
		if strings.HasPrefix(property, "--") {
			s.generate(value, written)
		}
	}
}

// narrowness returns narrow if a box of this size may be narrower than a host.
func narrowness(value string) effects {
	const wide = 400 // pixels
	if strings.Contains(value, "var(") {
		return narrow
	}
	for length := range lengths(strings.ToLower(value)) {
		if length > 0 && length < wide {
			return narrow
		}
	}
	return 0
}

// movesText reports whether a declaration moves an element, so that it may lie over other texts or out
// of sight.
func movesText(property, value string) bool {
	switch property {
	case "position":
		return value == "absolute" || value == "fixed" || value == "sticky"
	case "margin", "margin-top", "margin-bottom", "margin-left", "margin-right", "margin-block", "margin-inline", "margin-block-start",
		"margin-block-end", "margin-inline-start", "margin-inline-end", "text-indent":
		return least(value) <= -far || isUnknown(value)
	case "left", "right", "top", "bottom", "inset", "inset-block", "inset-inline", "inset-block-start", "inset-block-end", "inset-inline-start", "inset-inline-end":
		return isFar(value)
	case "transform", "translate", "rotate", "scale", "offset", "offset-path", "animation", "animation-name", "zoom":
		return value != "none" && value != "" && value != "1" && value != "100%" && value != "scale(1)" && value != "translate(0)"
	case "grid-area", "grid-column", "grid-row":
		return value != "auto"
	case "line-height":
		return isSmall(value) && !isZero(value) || isZero(value)
	case "text-shadow":
		return isFar(value)
	case "mso-text-raise":
		const far = 100 // pixels
		return least(value) <= -far || most(value) >= far
	}
	return false
}

// clipsText reports whether a declaration may show only a part of a box.
func clipsText(property, value string) bool {
	switch property {
	case "clip", "clip-path", "mask", "mask-image", "mask-box-image":
		return value != "none" && value != "auto"
	case "line-clamp", "content-visibility":
		return value != "none" && value != "visible"
	case "contain":
		return strings.Contains(value, "paint") || strings.Contains(value, "strict") || value == "content"
	case "background-clip":
		return value == "text"
	}
	return false
}

// reordersText reports whether a declaration may show elements or letters in another order.
func reordersText(property, value string) bool {
	switch property {
	case "flex-direction", "flex-flow", "flex-wrap", "box-direction":
		return strings.Contains(value, "reverse")
	case "order", "flex-order", "box-ordinal-group":
		return value != "0"
	case "grid-column-start", "grid-row-start", "grid-column-end", "grid-row-end":
		return value != "auto"
	case "unicode-bidi":
		return strings.Contains(value, "override") || value == "plaintext"
	case "writing-mode":
		return !strings.HasPrefix(value, "horizontal") && !strings.HasPrefix(value, "lr") && !strings.HasPrefix(value, "rl")
	case "letter-spacing", "word-spacing":
		return least(value) <= -1
	case "font-family":
		return isPictorial(value)
	}
	return false
}

// isPictorial reports whether the first font of a list shows pictures in place of letters, or nothing.
func isPictorial(fonts string) bool {
	first, _, _ := strings.Cut(strings.ToLower(fonts), ",")
	first = strings.Trim(first, " \t\r\n\"'")
	for _, name := range [...]string{"wingdings", "webdings", "symbol", "zapf dingbats", "zapfdingbats", "marlett", "bookshelf symbol", "ms outlook", "mt extra"} {
		if strings.HasPrefix(first, name) {
			return true
		}
	}
	return strings.Contains(first, "blank") || strings.Contains(first, "barcode") || strings.Contains(first, "redacted")
}

// mayHideText reports whether a declaration may hide the text of a link in some programs.
func mayHideText(property, value string) bool {
	switch property {
	case "filter", "backdrop-filter", "mix-blend-mode":
		return value != "none" && value != ""
	case "text-decoration", "text-decoration-line":
		return strings.Contains(value, "line-through")
	case "font-size-adjust", "text-size-adjust", "mso-ansi-font-size", "mso-font-width":
		return isSmall(value)
	case "mso-style-textfill-type":
		return value == "none"
	case "mso-style-textfill-fill-alpha":
		return value != "100%" && value != "100.0%"
	case "mso-element", "mso-special-character":
		for _, elsewhere := range [...]string{"comment", "header", "footer", "footnote", "endnote"} {
			if strings.HasPrefix(value, elsewhere) {
				return true
			}
		}
		return false
	case "padding", "padding-left", "padding-right", "padding-top", "padding-bottom", "min-width", "min-height", "border", "border-left",
		"border-right", "border-width":
		const away = 1000 // pixels
		return most(value) >= away
	}
	return movesText(property, value) || clipsText(property, value)
}

// unseenEffects returns the effects that only unseen.go asks for: what surely keeps people from seeing a
// text that programs read. mayHideText reads some of the same properties for the texts of links, where
// a doubt is enough.
func unseenEffects(property, value string) (e effects) {
	switch property {
	case "font-size":
		const readable = 3 // pixels
		_, unit := cutNumber(value)
		if unit == "px" || unit == "pt" {
			if size := most(value); size > 0 && size < readable {
				e |= tiny
			}
		}
	case "height", "max-height", "width", "max-width":
		if isZero(value) {
			e |= zeroBox
		}
	}
	if isVanished(property, value) {
		e |= vanishes
	}
	return e
}

// isVanished reports whether a declaration makes a text transparent or puts it out of the page.
func isVanished(property, value string) bool {
	const away = 500 // pixels
	switch property {
	case "opacity":
		number, unit := cutNumber(value)
		return unit == "" && strings.HasPrefix(strings.TrimLeft(number, "+0"), ".0") || unit == "%" && isPercentBelow(value, 5)
	case "left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top", "mso-text-raise":
		return least(value) <= -away
	case "color":
		return value == "transparent" || strings.HasPrefix(value, "rgba(") && strings.HasSuffix(strings.ReplaceAll(value, " ", ""), ",0)")
	case "transform":
		return strings.HasPrefix(value, "scale(0") && !strings.HasPrefix(value, "scale(0.")
	case "clip":
		compact := strings.NewReplacer(" ", "", "px", "").Replace(value)
		return compact == "rect(0,0,0,0)" || compact == "rect(1,1,1,1)"
	}
	return false
}

// unescaped returns CSS with its escapes replaced by their characters (CSS Syntax §4.3.7).
func unescaped(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		digits := 0
		for digits < 6 && i+1+digits < len(s) && ascii.IsHex(s[i+1+digits]) {
			digits++
		}
		if digits == 0 {
			continue
		}
		code, _ := strconv.ParseUint(s[i+1:i+1+digits], 16, 32)
		b.WriteRune(rune(code))
		if i += digits; i+1 < len(s) && strings.IndexByte(blanks, s[i+1]) >= 0 {
			i++
		}
	}
	return b.String()
}
