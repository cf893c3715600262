// Package sheet reads the links of formulas in tables (CSV, TSV, SYLK), which spreadsheets open.
package sheet

import (
	"cmp"
	"context"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/meter"
)

// Links returns HTML with a link for each =HYPERLINK("url","text") of a table. known is false if a
// formula builds the URL or the text from cells, functions or pieces, which are not read. It stops
// when ctx ends, which the caller checks. Time and memory are linear in the source.
func Links(ctx context.Context, source string) (links string, known bool) {
	var b strings.Builder
	known = true
	t := meter.New(ctx)
	for line := range strings.Lines(source) {
		begin := startOfFormulas(line)
		for at := 0; ; {
			i := strings.IndexByte(line[at:], '(')
			if t.Spend(max(i, 0)+1) != nil || i < 0 {
				break
			}
			at += i + 1
			start, ok := hyperlinkBefore(line[:at-1])
			if !ok {
				continue
			}
			isRead := false
			for _, quoted := range [...]*regexp.Regexp{arguments, doubled} {
				if match := quoted.FindStringSubmatch(line[at:min(len(line), at+maxFormula)]); match != nil {
					isRead = true
					write(&b, match[1], match[2])
				}
			}
			known = known && (isRead || start <= begin)
		}
		if t.Spend(len(line)) != nil {
			break
		}
	}
	return b.String(), known
}

// maxFormula is how many bytes after HYPERLINK are read. Spreadsheets read 8,192 characters of a
// formula.
const maxFormula = 16 << 10

// These match the arguments of HYPERLINK that are texts in quotes: the URL, and the text that is
// shown. If the formula itself is in quotes, CSV doubles the quotes inside it.
var (
	arguments = regexp.MustCompile(`^\s*"((?:[^"]|"")*)"\s*(?:[,;]\s*"((?:[^"]|"")*)"\s*)?\)`)
	doubled   = regexp.MustCompile(`^\s*""((?:[^"]|"""")*)""\s*(?:[,;]\s*""((?:[^"]|"""")*)""\s*)?\)`)
)

// quotes replaces two or four quotes by the one for which they stand.
var quotes = strings.NewReplacer(`""""`, `"`, `""`, `"`)

// write writes a link as a line of HTML. Without a text, the URL is shown.
func write(b *strings.Builder, url, text string) {
	url, text = html.EscapeString(quotes.Replace(url)), html.EscapeString(quotes.Replace(text))
	b.WriteString(`<a href="` + url + `">` + cmp.Or(text, url) + "</a>\n")
}

// startOfFormulas returns where the first formula of a line may begin, or the length of the line. SYLK
// writes E before one.
func startOfFormulas(line string) int {
	start := len(line)
	if i := strings.IndexAny(line, "=+-@"); i >= 0 {
		start = i
	}
	if i := strings.Index(line[:start], ";E"); i >= 0 {
		start = i
	}
	return start
}

// hyperlinks are the names of HYPERLINK in the languages of Excel. Excel reads formulas of CSV in
// the language of its user.
var hyperlinks = map[string]bool{
	"COLLEG.IPERTESTUALE": true, "HIPERHIVATKOZÁS": true, "HIPERLIGAÇÃO": true, "HIPERLINK": true, "HIPERVINCULO": true, "HIPERŁĄCZE": true, "HYPERKOBLING": true,
	"HYPERLINKKI": true, "HYPERLÄNK": true, "HYPERTEXTOVÝ.ODKAZ": true, "KÖPRÜ": true, "LIEN_HYPERTEXTE": true, "ГИПЕРССЫЛКА": true,
}

// hyperlinkBefore returns where a name of HYPERLINK begins with which a text ends, apart from white
// space.
func hyperlinkBefore(text string) (start int, ok bool) {
	const english, longest = "HYPERLINK", 64
	text = strings.TrimRight(text, " \t\r\n")
	if ascii.HasSuffixFold(text, english) {
		return len(text) - len(english), true // the English name counts even after other letters
	}
	for start = len(text); start > max(0, len(text)-longest); start-- {
		if c := text[start-1]; !ascii.IsAlphanumeric(c) && c != '.' && c != '_' && c < utf8.RuneSelf {
			break
		}
	}
	return start, start < len(text) && hyperlinks[strings.ToUpper(text[start:])]
}
