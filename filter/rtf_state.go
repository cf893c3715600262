package filter

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"github.com/linkmilter/linkmilter/internal/charset"
)

// rtfState is what control words say about the characters that follow.
type rtfState struct {
	groups  []rtfCharacters // of each open group
	deeper  int             // open groups beyond maxRTFGroups
	font    string          // the last one that was named, in digits without leading zeros
	usual   string          // the font of the document; "" for none
	fonts   map[string]encoding.Encoding
	page    encoding.Encoding // of the document
	noFonts bool              // all text is in the code page of the document, as for programs without these fonts
}

// rtfCharacters says how the characters of a group are read.
type rtfCharacters struct {
	fallback int    // how many follow one in Unicode for programs that do not know it
	font     string // whose charset escapes have; "" for that of the document
}

// newRTFState returns the state outside of all groups.
func newRTFState(noFonts bool) rtfState {
	return rtfState{groups: []rtfCharacters{{fallback: 1}}, page: charset.Lookup("windows-1252"), noFonts: noFonts}
}

const (
	// maxRTFGroups is the depth up to which nested groups are told apart.
	maxRTFGroups = 1 << 10
	// maxRTFFonts is the number of fonts whose charset is known.
	maxRTFFonts = 1 << 10
)

func (s *rtfState) begin() {
	if len(s.groups) == maxRTFGroups {
		s.deeper++
		return
	}
	s.groups = append(s.groups, *s.last())
}

func (s *rtfState) end() {
	switch last := len(s.groups) - 1; {
	case s.deeper > 0:
		s.deeper--
	case last > 0:
		s.groups = s.groups[:last]
	}
}

func (s *rtfState) last() *rtfCharacters { return &s.groups[len(s.groups)-1] }

// obey obeys a control word that says how characters are read.
func (s *rtfState) obey(word, number string) {
	switch word {
	case "uc":
		if n, err := strconv.Atoi(number); err == nil {
			s.last().fallback = n
		}
	case "ansicpg":
		s.setPage(number)
	case "mac":
		s.setPage("macintosh")
	case "pc":
		s.setPage("437")
	case "pca":
		s.setPage("850")
	case "deff":
		s.usual = numberOfFont(number)
	case "plain":
		s.last().font = ""
	case "f":
		s.font = numberOfFont(number)
		s.last().font = s.font
	case "fcharset":
		s.setFont(charsetsOfFonts[number])
	case "cpg":
		s.setFont(number)
	}
}

// setPage sets the code page of the document.
func (s *rtfState) setPage(label string) {
	if page := charset.Usual(label); page != nil {
		s.page = page
	}
}

// setFont sets the charset of a font in the table of fonts.
func (s *rtfState) setFont(label string) {
	if s.noFonts || len(s.fonts) == maxRTFFonts {
		return
	}
	if s.fonts == nil {
		s.fonts = make(map[string]encoding.Encoding)
	}
	s.fonts[s.font] = charset.Usual(label)
}

// numberOfFont returns the number of a font without leading zeros: "0" for none.
func numberOfFont(number string) string { return cmp.Or(strings.TrimLeft(number, "0"), "0") }

// encoding returns the charset of escapes.
func (s *rtfState) encoding() encoding.Encoding {
	font := cmp.Or(s.last().font, s.usual)
	if enc := s.fonts[font]; font != "" && enc != nil {
		return enc
	}
	return s.page
}

// charsetsOfFonts are the charsets of Windows by the number that a font has.
var charsetsOfFonts = map[string]string{
	"0": "windows-1252", "77": "macintosh", "128": "shift_jis", "129": "euc-kr", "134": "gbk", "136": "big5", "161": "windows-1253", "162": "windows-1254", "163": "windows-1258",
	"177": "windows-1255", "178": "windows-1256", "186": "windows-1257", "204": "windows-1251", "222": "windows-874", "238": "windows-1250", "254": "437", "255": "850",
}

// lineBreaks separate nothing in RTF.
const lineBreaks = "\r\n"

// decode returns the text of escaped bytes, and of the ASCII character behind them and behind line
// breaks if that is the second byte of the last one: size is that of both then. Bytes without a character are Latin.
func (s *rtfState) decode(escaped []byte, next string) (text string, size int) {
	enc := s.encoding()
	decoded, _ := enc.NewDecoder().Bytes(escaped)
	text = string(decoded)
	if !strings.HasSuffix(text, "\ufffd") {
		return text, 0
	}
	breaks := len(next)
	next = strings.TrimLeft(next, lineBreaks)
	breaks -= len(next)
	if next != "" && next[0] < utf8.RuneSelf && strings.IndexByte(`{}\`, next[0]) < 0 {
		if decoded, _ := enc.NewDecoder().Bytes(append(escaped, next[0])); !strings.Contains(string(decoded), "\ufffd") {
			return string(decoded), breaks + 1
		}
	}
	return text, 0
}
