package rtf

import (
	"context"
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/charset"
)

// Document has the texts of a rich text.
type Document struct {
	Text       string // all characters, also hidden ones and the instructions of fields
	HTML       string // the characters that programs show, with links; "" if Text is the same
	WrapsHTML  bool   // Text is HTML that Outlook wraps (MS-OXRTFEX)
	HasObjects bool   // there are objects of other programs, or data of fields, that were not read
	Unknown    bool   // there may be a link whose URL or text is not known
}

const (
	// step is the number of bytes between two checks of the context.
	step = 32 << 10
	// maxGroups is the depth up to which the state of groups is kept.
	maxGroups = 1 << 10
	// maxFonts is the number of fonts whose charset is remembered.
	maxFonts = 1 << 10
	// maxEscapes is the number of escaped bytes that are decoded at once: It is even, because most
	// characters of several bytes have two.
	maxEscapes = 1 << 10
	// maxInstruction is the length in bytes of the longest instruction of a field.
	maxInstruction = 32 << 10
)

// Read reads rich text and decodes its non-ASCII bytes. It accepts whatever Word accepts, so it
// returns no error. It stops when ctx ends, which the caller checks. Time and memory are linear in
// the source.
func Read(ctx context.Context, source string) Document {
	r := reader{
		groups: []group{{fallback: 1, font: noFont}}, usual: noFont,
		page: charset.Lookup("windows-1252"), fonts: make(map[int]encoding.Encoding), based: strings.Contains(source, `\hlinkbase`),
	}
	for at, next := 0, 0; at < len(source); at += r.read(source[at:]) {
		if at >= next {
			if next = at + step; ctx.Err() != nil {
				break
			}
		}
	}
	r.decode("")
	// A shape may be a link, and show a text.
	r.Unknown = r.Unknown || strings.Contains(source, `\hlsrc`) && (strings.Contains(source, `\shptxt`) || strings.Contains(source, "gtext"))
	r.WrapsHTML = strings.Contains(source, `\fromhtml`)
	r.Text = r.text.String()
	if r.differs {
		r.HTML = r.html.String()
	}
	return r.Document
}

// group is an open group, or the document.
type group struct {
	fallback    int  // number of characters after \u for programs that do not know \u
	font        int  // the font whose charset the escapes have, or noFont
	hidden      bool // Word does not show the text
	instruction bool // the text is the instruction of a field
	link        bool // the group is the result of a field that is a link
	wrapped     bool // the text is a tag of the HTML that Outlook wraps
	data        bool // the text is digits of an object or of the data of a field
}

const noFont = -1

// reader writes the texts of a document.
type reader struct {
	Document
	text, html  strings.Builder
	differs     bool // html shows something else than text does
	groups      []group
	deeper      int             // number of open groups beyond maxGroups
	instruction strings.Builder // instruction of the field whose result follows
	based       bool            // relative URLs have a base

	escaped []byte // bytes that are not yet decoded
	skip    int    // number of characters to leave out, because they stand for a Unicode character before them
	page    encoding.Encoding
	fonts   map[int]encoding.Encoding // fonts with another charset than the document
	font    int                       // the font that was named last
	usual   int                       // the font of the document, or noFont
}

func (r *reader) group() *group { return &r.groups[len(r.groups)-1] }

// read reads the start of s and returns how many bytes it read.
func (r *reader) read(s string) int {
	switch c := s[0]; {
	case c == '\r' || c == '\n': // line ends may even be between the bytes of a character
		return 1
	case len(s) > 1 && c == '\\' && s[1] == '\'':
		return r.escape(s)
	case c != '{' && c != '}' && (c != '\\' || len(s) == 1):
		return r.characters(s)
	}
	r.decode("")
	r.skip = 0
	switch s[0] {
	case '{':
		r.begin(strings.HasPrefix(s, `{\*\htmltag`))
	case '}':
		r.end()
	default:
		return r.control(s)
	}
	return 1
}

// characters writes characters that stand for themselves.
func (r *reader) characters(s string) int {
	size := strings.IndexAny(s[1:], "{}\\\r\n") + 1
	if size == 0 {
		size = len(s)
	}
	size = min(size, step)
	skipped := min(r.skip, size)
	r.skip -= skipped
	r.write(s[skipped+r.decode(s[skipped:size]) : size])
	return size
}

// escape reads an escaped byte and keeps it for decode.
func (r *reader) escape(s string) int {
	if len(s) < len(`\'00`) {
		return len(s)
	}
	c, ok := ascii.HexByte(s[2], s[3])
	switch {
	case !ok:
		return len(`\'`)
	case r.skip > 0:
		r.skip--
	default:
		if r.escaped = append(r.escaped, c); len(r.escaped) == maxEscapes {
			r.decode("")
		}
	}
	return len(`\'00`)
}

// decode writes the characters of the escaped bytes. If the first byte of next is the second byte
// of the last character, decode returns 1, otherwise 0.
func (r *reader) decode(next string) (used int) {
	if len(r.escaped) == 0 {
		return 0
	}
	enc := r.page
	font := r.group().font
	if font == noFont {
		font = r.usual
	}
	if own := r.fonts[font]; own != nil {
		enc = own
	}
	text, _ := enc.NewDecoder().Bytes(r.escaped)
	if strings.HasSuffix(string(text), "\ufffd") && next != "" && next[0] < utf8.RuneSelf {
		if whole, _ := enc.NewDecoder().Bytes(append(r.escaped, next[0])); !strings.Contains(string(whole), "\ufffd") {
			text, used = whole, 1
		}
	}
	r.escaped = r.escaped[:0]
	r.write(string(text))
	return used
}

// write writes a text as its group shows it.
func (r *reader) write(text string) {
	g := r.group()
	if text == "" || g.data {
		return
	}
	r.text.WriteString(text)
	r.differs = r.differs || g.wrapped || g.instruction || g.hidden
	switch {
	case g.wrapped:
	case g.instruction && r.instruction.Len() < maxInstruction:
		r.instruction.WriteString(text)
	case g.instruction:
		r.Unknown = true
	case text == "\n":
		r.html.WriteString("<br>")
	case g.hidden:
		r.html.WriteString("<span hidden>" + html.EscapeString(text) + "</span>")
	default:
		r.html.WriteString(html.EscapeString(text))
	}
}

func (r *reader) begin(wrapped bool) {
	if len(r.groups) == maxGroups {
		r.deeper++
		r.Unknown = true
		return
	}
	g := *r.group()
	g.link = false
	g.wrapped = g.wrapped || wrapped
	r.groups = append(r.groups, g)
}

func (r *reader) end() {
	switch last := len(r.groups) - 1; {
	case r.deeper > 0:
		r.deeper--
	case last > 0:
		if r.groups[last].link {
			r.html.WriteString("</a>")
		}
		r.groups = r.groups[:last]
	}
}

// controlWord matches a control word with its number and its delimiter.
var controlWord = regexp.MustCompile(`^\\([A-Za-z]{1,32})(-?\d{0,10}) ?`)

// control handles a control word or symbol at the start of s, and returns its length in bytes.
func (r *reader) control(s string) int {
	match := controlWord.FindStringSubmatch(s[:min(len(s), 64)])
	if match == nil {
		if strings.IndexByte(`\{}`, s[1]) >= 0 {
			r.write(s[1:2])
		}
		return len(`\~`)
	}
	size, digits := len(match[0]), match[2]
	number, _ := strconv.Atoi(digits)
	switch g, word := r.group(), match[1]; word {
	case "u":
		r.write(string(rune(uint16(number))))
		r.skip = g.fallback
	case "bin":
		size += min(max(number, 0), len(s)-size)
	case "par", "line", "cell", "tab", "sect", "page", "row":
		r.write("\n")
	case "v":
		g.hidden = digits != "0"
	case "plain":
		g.hidden, g.font = false, noFont
	case "objdata", "datafield":
		g.data, r.HasObjects = true, true
	case "field", "fldinst", "fldrslt":
		r.field(word, g)
	case "uc":
		g.fallback = number
	case "deff":
		r.usual = number
	case "f":
		r.font, g.font = number, number
	case "fcharset":
		r.setFont(charsets[number])
	case "cpg":
		r.setFont(digits)
	case "ansicpg":
		r.setPage(digits)
	case "mac":
		r.setPage("macintosh")
	case "pc":
		r.setPage("437")
	case "pca":
		r.setPage("850")
	}
	return size
}

// setPage sets the code page of the document.
func (r *reader) setPage(label string) {
	if page := charset.Usual(label); page != nil {
		r.page = page
	}
}

// setFont sets the charset of the font that was named last.
func (r *reader) setFont(label string) {
	if enc := charset.Usual(label); enc != nil && len(r.fonts) < maxFonts {
		r.fonts[r.font] = enc
	}
}

// charsets are the charsets of Windows, by their numbers in font tables. Number 0 stands for the
// code page of the document.
var charsets = map[int]string{
	77: "macintosh", 128: "shift_jis", 129: "euc-kr", 134: "gbk", 136: "big5", 161: "windows-1253", 162: "windows-1254", 163: "windows-1258",
	177: "windows-1255", 178: "windows-1256", 186: "windows-1257", 204: "windows-1251", 222: "windows-874", 238: "windows-1250", 254: "437", 255: "850",
}

// field handles a control word of a field.
func (r *reader) field(word string, g *group) {
	switch {
	case g.instruction && word == "field": // its result is part of the instruction
		start := strings.TrimSpace(r.instruction.String())
		n := min(len(start), len(hyperlink))
		r.Unknown = r.Unknown || strings.EqualFold(start[:n], hyperlink[:n])
	case g.instruction:
	case word == "fldinst":
		g.instruction = true
	default:
		url := urlOf(r.instruction.String())
		r.instruction.Reset()
		if word == "field" || url == "" || g.link {
			return
		}
		r.Unknown = r.Unknown || r.based && !strings.Contains(url, ":")
		g.link, r.differs = true, true
		r.html.WriteString(`<a href="` + html.EscapeString(url) + `">`)
	}
}

// hyperlink is the name of a field that opens a URL.
const hyperlink = "HYPERLINK"

// fieldWord matches a word of an instruction: in quotes, or up to a space.
var fieldWord = regexp.MustCompile(`"([^"]*)"|\S+`)

// urlOf returns the URL that a field opens, or "". It is the first word with a colon, or otherwise
// the first word. Words with a backslash are switches.
func urlOf(instruction string) (first string) {
	words := strings.TrimSpace(instruction)
	if !ascii.HasPrefixFold(words, hyperlink) {
		return ""
	}
	for _, match := range fieldWord.FindAllStringSubmatch(words[len(hyperlink):], -1) {
		word := strings.Trim(match[0], `"`)
		switch {
		case strings.HasPrefix(word, `\`):
		case strings.Contains(word, ":"):
			return word
		case first == "":
			first = word
		}
	}
	return first
}
