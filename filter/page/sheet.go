package page

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/cascadia"
	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/recent"
)

// sheet has the style rules that can change what a link shows. Conditions such as @media count as true,
// because it is not known which program reads the mail.
type sheet struct {
	rules  []rule
	unread style // effects of rules that may apply to any element
	linked bool  // it refers to a sheet outside the message
}

// rule is a rule for the elements of a selector.
type rule struct {
	selector cascadia.Sel
	style    style
	walks    int // number of combinators that search all ancestors or siblings
}

const (
	// maxSheets is how many style sheets are cached by their texts: newsletters repeat the same sheet
	// from message to message. maxSheet is the largest length in bytes of a cached text.
	maxSheets = 64
	maxSheet  = 256 << 10
	// maxInlineStyles is how many style attributes are cached.
	maxInlineStyles = 4 << 10
	// maxRules bounds the rules of a page. Newsletters built with Bootstrap have 900.
	maxRules = 8 << 10
	// maxSteps roughly bounds how many elements the match of a selector tries.
	maxSteps = 1 << 30
	// maxImports is how deep style sheets in data URLs may import each other.
	maxImports = 4
)

var remembered = sync.OnceValue(func() *recent.Table[sheet] { return recent.NewTable[sheet](maxSheets) })

// inlineStyles caches style attributes.
var inlineStyles = sync.OnceValue(func() *recent.Table[style] { return recent.NewTable[style](maxInlineStyles) })

// styleOfText returns the style of a style attribute, from the cache if it is there.
func styleOfText(declarations string) style {
	const longest = 512 // longer attributes are not cached
	if len(declarations) > longest {
		return inlineStyle(declarations)
	}
	if s := inlineStyles().Get(declarations); s != nil {
		return *s
	}
	s := inlineStyle(declarations)
	s.color, s.background, s.content = strings.Clone(s.color), strings.Clone(s.background), strings.Clone(s.content)
	inlineStyles().Put(strings.Clone(declarations), s)
	return s
}

// sheetOf returns the rules of a style sheet, from the cache if they are there.
func sheetOf(source string) *sheet {
	if len(source) > maxSheet {
		s := readSheet(source, 0)
		return &s
	}
	if s := remembered().Get(source); s != nil {
		return s
	}
	source = strings.Clone(source) // not a slice of a message
	s := readSheet(source, 0)
	remembered().Put(source, s)
	return &s
}

// readSheet reads a style sheet. imports is how many sheets import it, one in the other.
func readSheet(source string, imports int) (s sheet) {
	const longest = 1 << 20 // honest mail has no longer sheets
	s.unread.addIf(len(source) > longest, mayHide|generates)
	source = strings.NewReplacer("<!--", "", "-->", "").Replace(source[:min(len(source), longest)])
	p := css.NewParser(parse.NewInputString(source), false)
	var selectors []string
	var own, inner style      // inner has the nested rules, which few programs know
	depth, conditions := 0, 0 // open rules, and at-rules such as @media around them
	for {
		kind, _, name := p.Next()
		switch kind {
		case css.ErrorGrammar:
			if !p.HasParseError() {
				return s
			}
			s.unread.effects |= mayHide
		case css.QualifiedRuleGrammar, css.BeginRulesetGrammar:
			if depth == 0 {
				selectors, own = append(selectors, textOf(p.Values())), style{}
			}
			if kind == css.BeginRulesetGrammar {
				depth++
			}
		case css.BeginAtRuleGrammar:
			conditions++
		case css.EndAtRuleGrammar:
			conditions--
		case css.AtRuleGrammar:
			if strings.EqualFold(string(name), "@import") {
				s.importSheet(textOf(p.Values()), imports)
			}
		case css.DeclarationGrammar, css.CustomPropertyGrammar:
			if depth > 1 {
				inner.declare(string(name), p.Values())
			} else {
				own.declare(string(name), p.Values())
			}
		case css.EndRulesetGrammar:
			if depth--; depth > 0 {
				continue
			}
			own = own.done()
			own.addIf(conditions > 0 && (own.color != "" || own.background != ""), contested)
			if own.matters() {
				for _, one := range selectors {
					s.addRule(one, own)
				}
			}
			inner = inner.done()
			s.unread.add(&inner)
			selectors, inner, depth = nil, style{}, 0
		}
	}
}

// importSheet reads the sheet that @import names. A sheet outside the message is not read: it may hide
// anything.
func (s *sheet) importSheet(values string, depth int) {
	if isOfFonts(values) {
		return
	}
	url := strings.TrimSuffix(strings.TrimPrefix(values, "url("), ")")
	content, label := dataContent(strings.Trim(unescaped(url), `"' `), "text/css")
	if content == "" || depth == maxImports || label != "" && label != "utf-8" {
		s.unread.effects |= mayHide
		s.linked = true
		if strings.Contains(strings.ToLower(unescaped(url)), "data:") {
			s.unread.effects |= generates
			s.unread.content = drawn
		}
		return
	}
	inner := readSheet(content, depth+1)
	s.rules = append(s.rules, inner.rules...)
	s.unread.add(&inner.unread)
	s.linked = s.linked || inner.linked
}

var (
	// dynamic matches what a selector says about the changing state of an element, such as :hover, or
	// about its namespace.
	dynamic = regexp.MustCompile(`(?i)::?(?:hover|visited|link|active|focus(?:-within|-visible)?|any-link|target|-webkit-[a-z-]+|-moz-[a-z-]+)\b|(?:[\w-]+|\*)?\|`)
	// pseudo matches a pseudo-element.
	pseudo = regexp.MustCompile(`(?i)::?(before|after|marker|first-letter|first-line|placeholder|selection)\b`)
)

// addRule adds a rule for a selector. A selector that is unknown, or slow to match, is not matched:
// its rule counts as one that applies to any element or to none.
func (s *sheet) addRule(selector string, own style) {
	if part := pseudo.FindStringSubmatch(selector); part != nil {
		switch strings.ToLower(part[1]) {
		case "before", "after", "marker":
			own = style{effects: own.effects & (generates | moves), content: own.content}
		default:
			own.effects = ofPart(own.effects)
		}
		selector = pseudo.ReplaceAllString(selector, "")
	}
	if !own.matters() {
		return
	}
	if selector = trim(dynamic.ReplaceAllString(selector, "")); selector == "" {
		selector = "*"
	}
	group, err := cascadia.ParseGroup(selector)
	isSlow := strings.Contains(selector, ":has(") || strings.Contains(selector, ":nth-") || // slow for many elements
		strings.Count(selector, "~") > 1 || strings.Contains(selector, "~") && len(strings.Fields(strings.ReplaceAll(selector, "~", " "))) > 3
	if err != nil || isSlow || len(s.rules)+len(group) > maxRules {
		s.unread.add(&own)
		return
	}
	for _, one := range group {
		walks := strings.Count(strings.NewReplacer(" > ", ">", " + ", "+").Replace(one.String()), " ")
		s.rules = append(s.rules, rule{one, own, walks})
	}
}

// ofPart returns what a style for the first letter or line does to the whole text.
func ofPart(e effects) effects {
	if e&(hides|invisible|zeroSized|mayHide|styled) != 0 {
		return mayHide | reorders
	}
	return 0
}

// style returns what the rules say about an element. What they hide counts only as possibly hidden,
// because a condition or another rule may show it. level is the depth of the element. If the
// context has ended, slow rules count as matching.
func (s *sheet) style(ctx context.Context, n *html.Node, level int) (of style) {
	for i := range s.rules {
		r := &s.rules[i]
		if r.walks > 1 && (math.Pow(float64(level), float64(r.walks)) > maxSteps || ctx.Err() != nil) || r.selector.Match(n) {
			of.add(&r.style)
		}
	}
	unread := s.unread
	unread.color, unread.background = "", "" // see styleLinks
	of.add(&unread)
	of.addIf(of.effects&(hides|invisible|zeroSized|tiny|vanishes) != 0, veiled)
	if of.effects&(hides|invisible|zeroSized) != 0 {
		of.effects = of.effects&^(hides|invisible|zeroSized) | mayHide
	}
	return of
}

// textOf returns the text of style sheet tokens.
func textOf(tokens []css.Token) string {
	var b strings.Builder
	for _, t := range tokens {
		b.Write(t.Data)
	}
	return trim(b.String())
}

// addSheet adds the style sheet of an element to the page's: that of a style element, or of a link with
// a data URL.
func (s *sheet) addSheet(e *element) {
	source := ""
	if e.name == "style" {
		source = contentOf(e.node)
	} else {
		if !strings.Contains(strings.ToLower(e.attr("rel")), "stylesheet") || isOfFonts(e.attr("href")) {
			return
		}
		if source, _ = dataContent(e.attr("href"), "text/css"); source == "" {
			s.unread.effects |= mayHide
			s.linked = true
		}
	}
	more := sheetOf(source)
	if len(s.rules)+len(more.rules) > maxRules {
		s.unread.effects |= mayHide
		return
	}
	s.rules = append(s.rules, more.rules...)
	s.unread.add(&more.unread)
	s.linked = s.linked || more.linked
}

// contentOf returns the text inside an element.
func contentOf(n *html.Node) string {
	if c := n.FirstChild; c != nil && c.NextSibling == nil && c.Type == html.TextNode {
		return c.Data
	}
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// fontServices are hosts whose style sheets only name fonts.
var fontServices = []string{"fonts.googleapis.com", "fonts.bunny.net", "use.typekit.net", "use.fontawesome.com", "fast.fonts.net"}

// isOfFonts reports whether the URL of a style sheet, or the value of @import, names a font service.
func isOfFonts(reference string) bool {
	reference = strings.ToLower(strings.TrimLeft(reference, " \t\r\n\"'"))
	reference = strings.TrimLeft(strings.TrimPrefix(reference, "url("), " \t\r\n\"'")
	reference = strings.TrimPrefix(strings.TrimPrefix(reference, "https:"), "http:")
	rest, ok := strings.CutPrefix(reference, "//")
	host, _, path := strings.Cut(rest, "/")
	return ok && path && slices.Contains(fontServices, host)
}
