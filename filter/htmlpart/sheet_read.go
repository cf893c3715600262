package htmlpart

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// maxRulesDeep is the number of rules around a rule that are known. One in more counts for all
// elements.
const maxRulesDeep = 64

// maxSaid is the number of declarations of a rule that are kept. A rule with more is read again.
const maxSaid = 256

// readSource reads a style sheet as it is written, and as programs read it in SVG, MathML and XML.
// One that programs may read differently may hide anything. It returns the second, "" where that is the
// same. It calls spend with the bytes that it reads, and ends at an error.
func (s *sheet) readSource(css string, spend func(int) error) (other string) {
	plain := plainCSS(css)
	s.readPlain(css, plain, spend)
	other = sheetOfMarkup(css)
	if otherPlain := plainCSS(other); otherPlain != plain { // not only in comments
		s.readPlain(other, otherPlain, spend)
	}
	return other
}

// readPlain reads a style sheet, also given without its comments and escapes.
func (s *sheet) readPlain(css, plain string, spend func(int) error) {
	s.all = s.all || isOdd(css)
	s.borrows = s.borrows || hasCustom(plain) && hasCustom(plainCSS(withoutCommentMarks(css)))
	r := sheetReader{sheet: s, spend: spend, left: selectorsPerByte*len(plain) + minSelectors}
	r.read(plain)
	s.generateAnywhere(textOfPictures(css))
}

// hasCustom reports whether a style sheet without escapes may name a custom property: the mark is not
// within another name, such as "link--footer".
func hasCustom(css string) bool {
	for at := 0; ; {
		i := index(css, customMark, at)
		if i < 0 {
			return false
		}
		if i == 0 || !isNamePart(css[i-1]) {
			return true
		}
		at = i + 1
	}
}

// isNamePart reports whether a character may be in a name of CSS.
func isNamePart(c byte) bool { return ascii.IsAlphanumeric(c) || c == '_' || c == '-' || c >= 0x80 }

// withoutCommentMarks returns a style sheet as it is written without the marks of comments of HTML,
// which style sheets had around them. A mark within a name is a part of that.
func withoutCommentMarks(css string) string {
	var b strings.Builder
	for css != "" {
		i := strings.Index(css, customMark)
		if i < 0 {
			break
		}
		end := i + len(customMark)
		switch before := css[:i]; {
		case strings.HasSuffix(before, "<!") && !strings.HasSuffix(before, `\<!`):
			before = before[:i-len("<!")]
			b.WriteString(before + " ")
		case strings.HasPrefix(css[end:], ">") && isBetweenRules(before):
			end++
			b.WriteString(before + " ")
		default:
			b.WriteString(css[:end])
		}
		css = css[end:]
	}
	return b.String() + css
}

// isBetweenRules reports whether a style sheet may end a rule or a comment, or is blank.
func isBetweenRules(css string) bool {
	css = strings.TrimRight(css, blanks)
	return css == "" || strings.IndexByte("{};/", css[len(css)-1]) >= 0
}

// Each declaration is noted with the selectors around it. In all, selectorsPerByte bytes of selectors
// for each byte of the style sheet are, and minSelectors more; further declarations count for all
// elements.
const (
	selectorsPerByte = 8
	minSelectors     = 256 << 10
)

// sheetReader reads a style sheet without comments and escapes. Rules may be nested in others.
type sheetReader struct {
	*sheet
	spend  func(int) error
	open   []string         // the selectors around, and conditions such as @media
	size   int              // their length in bytes
	left   int              // bytes of selectors that may still be noted
	deeper int              // rules around that are not kept
	said   []cssDeclaration // of the rule, up to maxSaid, without those that say nothing by themselves
}

// read reads a style sheet.
func (r *sheetReader) read(css string) {
	start, block := 0, 0 // of a declaration, and of all between two brackets
	quote := byte(0)
	for i := range len(css) {
		c := css[i]
		if quote == 0 && (c == '{' || c == ';' || c == '}') && r.spend(i+1-start) != nil {
			return
		}
		switch {
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '{':
			r.openRule(css[start:i])
			start, block = i+1, i+1
		case c == ';':
			r.readAlone(css[start:i])
			start = i + 1
		case c == '}':
			r.readBlock(css[block:i], css[start:i])
			r.closeRule()
			start, block = i+1, i+1
		}
	}
	if start < len(css) {
		r.readBlock(css[block:], css[start:])
	}
}

// openRule begins a rule with selectors.
func (r *sheetReader) openRule(selectors string) {
	if len(r.open) < maxRulesDeep {
		selectors := withoutNamespaces(trim(selectors))
		r.open, r.size = append(r.open, selectors), r.size+len(selectors)
	} else {
		r.deeper++
	}
	r.counts = r.counts || countsElements(selectors)
	r.said = r.said[:0]
}

// closeRule ends the innermost rule.
func (r *sheetReader) closeRule() {
	switch {
	case r.deeper > 0:
		r.deeper--
	case len(r.open) > 0:
		last := len(r.open) - 1
		r.open, r.size = r.open[:last], r.size-len(r.open[last])
	}
	r.said = r.said[:0]
}

// rules returns the selectors of the rule and of those around, for a declaration.
func (r *sheetReader) rules() []string {
	if r.left -= r.size; r.deeper > 0 || r.left < 0 {
		return everywhere
	}
	_ = r.spend(r.size) // the next piece sees its error
	return r.open
}

// readAlone reads a declaration of a rule by itself: programs may not know the others.
func (r *sheetReader) readAlone(text string) {
	var own style
	d, ok := readDeclaration(text)
	if ok {
		r.noteTexts(&d)
		if !own.declareCommon(d.property, d.value) {
			own.declareRare(d.property, d.value)
			ok = d.important || own != style{}
		}
	}
	if ok && len(r.said) < maxSaid {
		r.said = append(r.said, d)
	}
	if ok || strings.IndexByte(text, '@') >= 0 {
		r.apply(&own, text, r.rules())
	}
}

// readBlock reads the declarations of a rule together. The last of them was not read yet.
func (r *sheetReader) readBlock(block, last string) {
	alone := len(r.said)
	if d, ok := readDeclaration(last); ok {
		r.noteTexts(&d)
		r.said = append(r.said, d)
	}
	var all style
	switch {
	case alone == maxSaid, strings.ContainsAny(block, "([@"):
		r.generateInBrackets(block)
		all.declareAll(block)
	case len(r.said) == alone && alone < 2:
		return // it says no more than its declaration alone
	default:
		var important importance
		for i := range r.said {
			if d := &r.said[i]; important.counts(d) {
				all.declare(d.property, d.value)
			}
		}
	}
	r.apply(&all, block, r.rules())
}

// generateInBrackets notes the texts of declarations with semicolons in brackets, as in
// "content: if(style(--x): 'a'; else: 'b')".
func (r *sheetReader) generateInBrackets(block string) {
	if strings.IndexByte(block, '(') < 0 {
		return
	}
	for text := ""; block != ""; {
		text, block = cutDeclaration(block)
		if strings.IndexByte(text, ';') < 0 {
			continue
		}
		if d, ok := readDeclaration(text); ok {
			r.noteTexts(&d)
		}
	}
}

// noteTexts notes the texts that a declaration puts before and after elements.
func (r *sheetReader) noteTexts(d *cssDeclaration) {
	r.showsCustom = r.showsCustom || (d.property == "content" || isBorrowed(d.property)) && strings.Contains(strings.ToLower(d.written), "var(")
	rules := r.rules()
	if d.property == "quotes" {
		r.quote(d.value, rules)
	}
	r.alphabets = r.alphabets || definesLetters(d, rules)
	if len(rules) > 0 && strings.EqualFold(trim(rules[len(rules)-1]), "@font-face") {
		r.unread.declareFont(d.property, strings.ToLower(d.value))
	}
	r.generate(generatedText(d), rules)
	r.generateAnywhere(borrowedText(d))
	r.noteCustom(d, rules)
}
