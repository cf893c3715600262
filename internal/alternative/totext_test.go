package alternative_test

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	nethtml "golang.org/x/net/html"
	"golang.org/x/text/width"

	"github.com/linkmilter/linkmilter/internal/alternative"
)

// quoted is one line of a text and how many quotes are around it.
type quoted struct {
	level int
	text  string
}

// shown is what a document shows: its lines, and what its links open.
type shown struct {
	lines []quoted
	hrefs []string
}

// allowed are the elements that an alternative may have, each with the attributes that it may have.
var allowed = map[string][]string{
	"html": nil, "head": nil, "meta": {"charset", "name", "content"}, "body": {"style"}, "div": {"dir", "style"}, "br": nil,
	"bdi": {"dir"}, "a": {"href"}, "blockquote": {"type", "style"},
}

// toText returns what a document shows in a browser: white space between words stays; at the ends
// of lines and behind other white space it does not. It returns an error for markup that an
// alternative may not have.
func toText(doc string) (shown, error) {
	var s shown
	var open []string
	level, inDiv, text := 0, false, ""
	z := nethtml.NewTokenizer(strings.NewReader(doc))
	for {
		switch z.Next() {
		case nethtml.ErrorToken:
			if len(open) > 0 {
				return s, fmt.Errorf("never closed: %v", open)
			}
			return s, nil
		case nethtml.DoctypeToken:
			if z.Token().Data != "html" || len(open) > 0 {
				return s, fmt.Errorf("doctype out of place")
			}
		case nethtml.TextToken:
			t := z.Token().Data
			if inDiv {
				text += strings.ReplaceAll(t, "\n", "")
			} else if strings.Trim(t, "\n") != "" {
				return s, fmt.Errorf("text outside of a paragraph: %q", t)
			}
		case nethtml.StartTagToken:
			t := z.Token()
			if err := check(t); err != nil {
				return s, err
			}
			switch t.Data {
			case "br":
				text += "\n"
				continue
			case "meta":
				continue
			case "div":
				inDiv, text = true, ""
			case "blockquote":
				level++
			case "a":
				s.hrefs = append(s.hrefs, t.Attr[0].Val)
			}
			open = append(open, t.Data)
		case nethtml.EndTagToken:
			name := z.Token().Data
			if len(open) == 0 || open[len(open)-1] != name {
				return s, fmt.Errorf("</%s> closes %v", name, open)
			}
			open = open[:len(open)-1]
			switch name {
			case "div":
				// A <br> right before the end of a block makes no line.
				for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
					s.lines = append(s.lines, quoted{level, collapse(l)})
				}
				inDiv = false
			case "blockquote":
				level--
			}
		default:
			return s, fmt.Errorf("token %v", z.Token())
		}
	}
}

// check refuses elements and attributes that an alternative may not hold.
func check(t nethtml.Token) error {
	may, ok := allowed[t.Data]
	if !ok {
		return fmt.Errorf("element <%s>", t.Data)
	}
	for _, a := range t.Attr {
		if !slices.Contains(may, a.Key) {
			return fmt.Errorf("attribute %s of <%s>", a.Key, t.Data)
		}
	}
	return nil
}

// collapse drops the spaces that a browser would drop, then makes no-break
// spaces ordinary ones.
func collapse(s string) string {
	s = strings.Trim(s, " ")
	for strings.Contains(s, "  ") {
		s = strings.ReplaceAll(s, "  ", " ")
	}
	return strings.ReplaceAll(s, "\u00a0", " ")
}

// expected returns what the alternative of a text must show, by the text alone, to check invariant
// I3.
func expected(text string, links []alternative.Link) shown {
	var s shown
	pos := 0
	if text == "" {
		return s
	}
	text = strings.TrimSuffix(normalised(text), "\n")
	for raw := range strings.SplitSeq(text, "\n") {
		level, body := quoteLevel(raw)
		from, end := pos+len(raw)-len(body), pos+len(raw)
		var b strings.Builder
		last := from
		for ; len(links) > 0 && links[0].Start < end; links = links[1:] {
			l := links[0]
			if l.Start < last || l.End > end || l.Start >= l.End {
				continue
			}
			b.WriteString(text[last:l.Start])
			b.WriteString(visible(l.Display, text[l.Start:l.End]))
			last = l.End
			if opens(l.Href) {
				s.hrefs = append(s.hrefs, l.Href)
			}
		}
		b.WriteString(text[last:end])
		s.lines = append(s.lines, quoted{level, strings.ReplaceAll(expand(b.String()), "\u00a0", " ")})
		pos = end + 1
	}
	return s
}

// normalised makes every line end LF; the links of the tests are in texts that
// have no other.
func normalised(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

func visible(display, text string) string {
	if display == "" {
		return text
	}
	// Replace runes, not bytes, so that no byte joins one of the text around it.
	return strings.NewReplacer("\n", "\ufffd", "\r", "\ufffd").Replace(string([]rune(display)))
}

func opens(href string) bool {
	ascii := func(r rune) bool { return r > ' ' && r < 0x7f }
	scheme, rest, _ := strings.Cut(href, ":")
	return rest != "" && strings.TrimFunc(href, ascii) == "" && !strings.ContainsFunc(href, func(r rune) bool { return !ascii(r) }) &&
		slices.Contains([]string{"http", "https", "ftp", "mailto"}, strings.ToLower(scheme))
}

// quoteLevel removes the quote marks from a line and counts them.
func quoteLevel(s string) (int, string) {
	level := 0
	for level < alternative.MaxQuoteLevel {
		rest, ok := strings.CutPrefix(s, ">")
		if !ok && level > 0 {
			rest, ok = strings.CutPrefix(s, " >")
		}
		if !ok {
			break
		}
		level, s = level+1, rest
	}
	if level > 0 {
		s = strings.TrimPrefix(s, " ")
	}
	return level, s
}

// expand replaces tabs by spaces up to the next multiple of eight columns, and characters that HTML
// cannot have by U+FFFD.
func expand(s string) string {
	var b strings.Builder
	column := 0
	for i, r := range s {
		n := 1
		_, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\t':
			n = 8 - column%8
			b.WriteString(strings.Repeat(" ", n))
			column += n
			continue
		case r == '\f':
		case unicode.Is(unicode.Cc, r), r == utf8.RuneError && size == 1:
			r = utf8.RuneError
		case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Me, r), unicode.Is(unicode.Cf, r):
			n = 0
		default:
			if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
				n = 2
			}
		}
		b.WriteRune(r)
		column += n
	}
	return b.String()
}
