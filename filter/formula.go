package filter

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

const (
	// maxFormulaDepth is the number of calls within calls of a formula, as in spreadsheets.
	maxFormulaDepth = 64
	// maxFormulaText is the number of bytes of a text that a call of a formula makes.
	maxFormulaText = 4 << 10
)

// formulaReader reads the calls of a formula of a table. It knows the functions that make texts,
// and no cells.
type formulaReader struct {
	source  string
	at      int
	link    func(url, text string) // gets the arguments of HYPERLINK
	tooDeep bool                   // its calls are nested too deep
	unknown bool                   // its texts depend on cells, other functions or what is beyond source
	invalid bool                   // something other than an operator is beside a text, as in no formula
}

// note notes something unknown in a formula.
func (r *formulaReader) note() { r.unknown = r.unknown || !r.invalid }

// hyperlinks are the names of HYPERLINK in the languages of Excel, which reads the formulas of CSV
// in the language of the reader.
var hyperlinks = map[string]bool{
	"HYPERLINK": true, "COLLEG.IPERTESTUALE": true, "HIPERHIVATKOZÁS": true, "HIPERLIGAÇÃO": true, "HIPERLINK": true,
	"HIPERVINCULO": true, "HIPERŁĄCZE": true, "HYPERKOBLING": true, "HYPERLINKKI": true, "HYPERLÄNK": true,
	"HYPERTEXTOVÝ.ODKAZ": true, "KÖPRÜ": true, "LIEN_HYPERTEXTE": true, "ГИПЕРССЫЛКА": true,
}

// eachFormulaLink calls link with the arguments of each HYPERLINK in a source. Texts may have
// quotes of their own before a formula: each call is read from its name on, unless it is in another
// one outside of quotes. unknown says that arguments of a formula are not known, invalid that a call
// is not one of a formula. The last call may go on behind the source if more is true.
func eachFormulaLink(source string, more bool, link func(url, text string)) (unknown, invalid bool) {
	begin := startOfFormulas(source)
	var done [2]int // where the calls end that begin behind an even or an odd number of quotes
	quotes := 0
	for at := 0; at < len(source); at++ {
		i := strings.IndexAny(source[at:], "(\"")
		if i < 0 {
			return unknown, invalid
		}
		if at += i; source[at] == '"' {
			quotes++
			continue
		}
		start, ok := hyperlinkBefore(source[:at])
		if end := &done[quotes%2]; ok && start >= *end {
			r := formulaReader{source: source, at: start, link: link}
			r.name(0)
			*end = r.at
			isCut := more && r.at == len(source)
			unknown = unknown || !isCut && (r.unknown || r.tooDeep) && start > begin
			invalid = invalid || r.invalid
		}
	}
	return unknown, invalid
}

// startOfFormulas returns where the first formula of a source may begin, or its length. SYLK writes
// E before one.
func startOfFormulas(source string) int {
	start := len(source)
	if i := strings.IndexAny(source, "=+-@"); i >= 0 {
		start = i
	}
	if i := strings.Index(source[:start], ";E"); i >= 0 {
		start = i
	}
	return start
}

// maxFunctionName is the greatest length in bytes of the name of a function.
const maxFunctionName = 64

// hyperlinkBefore returns where the name of HYPERLINK begins that a text ends with. White space may
// follow the name.
func hyperlinkBefore(text string) (start int, ok bool) {
	const english = "HYPERLINK"
	text = strings.TrimRight(text, " \t\r\n")
	if ascii.HasSuffixFold(text, english) {
		return len(text) - len(english), true // also behind other letters
	}
	start = len(text)
	for start > max(0, len(text)-maxFunctionName) && isFormulaName(text[start-1]) {
		start--
	}
	return start, hyperlinks[strings.ToUpper(text[start:])]
}

// isFormulaName reports whether a byte may be in the name of a function or cell.
func isFormulaName(c byte) bool {
	return ascii.IsAlphanumeric(c) || c == '.' || c == '_' || c >= utf8.RuneSelf
}

// name reads a name, which may be that of a call, and returns the text of the call.
func (r *formulaReader) name(depth int) string {
	start := r.at
	for r.at < len(r.source) && isFormulaName(r.source[r.at]) {
		r.at++
	}
	name := r.source[start:r.at]
	r.skipSpace()
	if r.at == len(r.source) || r.source[r.at] != '(' {
		if isTruth := strings.EqualFold(name, "TRUE") || strings.EqualFold(name, "FALSE"); !isTruth {
			r.note() // a cell
		}
		return ""
	}
	r.at++
	return r.call(strings.ToUpper(name), r.arguments(depth+1))
}

func (r *formulaReader) skipSpace() {
	for r.at < len(r.source) && strings.IndexByte(" \t\r\n", r.source[r.at]) >= 0 {
		r.at++
	}
}

// arguments reads the arguments of a call behind its bracket.
func (r *formulaReader) arguments(depth int) (arguments []string) {
	var text strings.Builder
	r.tooDeep = r.tooDeep || depth > maxFormulaDepth
	for r.at < len(r.source) && !r.tooDeep {
		switch c := r.source[r.at]; {
		case c == ')':
			r.at++
			return append(arguments, text.String())
		case c == ',' || c == ';':
			arguments = append(arguments, text.String())
			text.Reset()
			r.at++
		case c == '"':
			text.WriteString(r.quoted())
			r.checkBehindText()
		case c == '(':
			r.at++
			text.WriteString(strings.Join(r.arguments(depth+1), ""))
		case ascii.IsDigit(c):
			text.WriteByte(c)
			r.at++
		case ascii.IsLetter(c) || c == '_' || c >= utf8.RuneSelf:
			text.WriteString(r.name(depth))
			r.skipSpace()
			r.invalid = r.invalid || strings.HasPrefix(r.source[r.at:], `"`)
		default:
			if strings.IndexByte("& \t\r\n", c) < 0 {
				r.note()
			}
			r.at++
		}
	}
	r.note()
	return append(arguments, text.String())
}

// checkBehindText notes where something touches a text that may not do so. Formulas whose quotes CSV
// doubles have an empty text before each text.
func (r *formulaReader) checkBehindText() {
	r.skipSpace()
	r.invalid = r.invalid || r.at < len(r.source) && strings.IndexByte("&,;)}+-*/^%=<>", r.source[r.at]) < 0
}

// quoted reads a text in quotes. A quote in it is doubled.
func (r *formulaReader) quoted() string {
	var text strings.Builder
	for {
		inside, rest, ok := strings.Cut(r.source[r.at+1:], `"`)
		text.WriteString(inside)
		r.at = len(r.source) - len(rest)
		if !ok || !strings.HasPrefix(rest, `"`) {
			return text.String()
		}
		text.WriteByte('"')
	}
}

// pieceOf returns a piece of a text. Spreadsheets count in units of UTF-16.
func pieceOf(text string, start, size int) string {
	units := utf16.Encode([]rune(text))
	start = min(max(start, 0), len(units))
	return string(utf16.Decode(units[start:min(start+size, len(units))]))
}

// joins are the functions whose texts are those of their arguments, up to case and white space.
var joins = map[string]bool{"CONCAT": true, "CONCATENATE": true, "T": true, "TRIM": true, "CLEAN": true, "UPPER": true, "PROPER": true, "TRUE": true, "FALSE": true}

// call returns the text of a call.
func (r *formulaReader) call(name string, arguments []string) string {
	first := arguments[0]
	text := strings.Join(arguments, "")
	number := func(i int) int {
		if i >= len(arguments) {
			return 1
		}
		n, _ := strconv.Atoi(arguments[i])
		return min(max(n, 0), maxFormulaText)
	}
	name = strings.TrimPrefix(name, "_XLFN.") // of newer functions
	switch {
	case hyperlinks[name]:
		shown := arguments[min(1, len(arguments)-1)]
		if first != "" {
			r.link(first, shown)
		}
		return shown
	case name == "CHAR" || name == "UNICHAR":
		code, _ := strconv.Atoi(first)
		return string(rune(min(code, utf8.MaxRune)))
	case name == "SUBSTITUTE" && len(arguments) == 3 && arguments[1] != "" && len(first)*len(arguments[2]) <= maxFormulaText:
		return strings.ReplaceAll(first, arguments[1], arguments[2])
	case name == "TEXTJOIN" && len(arguments) > 2 && len(first)*len(arguments) <= maxFormulaText:
		text = strings.Join(arguments[2:], first)
	case name == "MID" && len(arguments) > 2:
		text = pieceOf(first, number(1)-1, number(2))
	case name == "LEFT":
		text = pieceOf(first, 0, number(1))
	case name == "RIGHT":
		text = pieceOf(first, len(utf16.Encode([]rune(first)))-number(1), number(1))
	case name == "REPT":
		if len(first)*number(1) > maxFormulaText {
			r.note()
		}
		text = strings.Repeat(first, min(number(1), maxFormulaText/max(len(first), 1)))
	case name == "LOWER":
		text = strings.ToLower(text)
	case !joins[name]:
		r.note()
	}
	if len(text) > maxFormulaText || len(first) > maxFormulaText {
		r.note()
	}
	return text[:min(len(text), maxFormulaText)]
}
