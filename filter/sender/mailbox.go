// Package sender reads the names and addresses of header fields as lenient mail programs do.
//
// It is a part of the program linkmilter and exports only what its other packages use.
package sender

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/spread"
)

// A mailbox is an address of a field with a text that programs may show as its name.
type mailbox struct {
	Name    string // as written, without quotes and comments
	Address string
}

// Mailboxes returns the mailboxes of a field as lenient programs read it (RFC 5322 §3.4 with all of
// §4.4). That includes groups, routes, comments, and several addresses in angle brackets. A mailbox
// with several names is returned once for each name. Encoded words are not decoded. Programs show a
// name without an address, too: it gets the next address of the field, or else the last one.
func Mailboxes(value string) []mailbox {
	r := mailboxReader{value: value}
	found := r.all()
	if r.unclosed { // a quotation mark has no partner: read it as a literal, too
		literal := mailboxReader{value: strings.ReplaceAll(value, `"`, " ")}
		found = append(found, literal.all()...)
	}
	return found
}

// An unaddressed is a name that has no address of its own.
type unaddressed struct {
	mailbox
	before int // index of the mailbox after the name
}

// mailboxReader reads a list of mailboxes from left to right.
type mailboxReader struct {
	value    string
	pos      int
	found    []mailbox
	unclosed bool // a quoted string has no end

	unaddressed []unaddressed

	start    int             // start of the current mailbox
	phrase   strings.Builder // the words outside of angle brackets
	comments []string
	angle    string // the last address in angle brackets
	bracket  bool   // the mailbox has an address in angle brackets
	several  bool   // it had an earlier one, too, which is in found
	colon    int    // offset in the phrase after the first colon that follows the angle brackets; 0 without one
}

// all returns the mailboxes of the list, and then the names that have no address of their own.
func (r *mailboxReader) all() []mailbox {
	r.read()
	found := r.found
	for _, name := range r.unaddressed {
		if len(r.found) > 0 {
			name.Address = r.found[min(name.before, len(r.found)-1)].Address
		}
		found = append(found, name.mailbox)
	}
	return found
}

func (r *mailboxReader) read() {
	for r.pos < len(r.value) {
		c := r.value[r.pos]
		r.pos++
		switch c {
		case '"':
			r.quoted()
		case '(':
			r.comment()
		case '<':
			r.address()
		case ',', ';':
			r.end()
		case ':':
			r.group()
		case '\\':
			if r.pos < len(r.value) {
				r.phrase.WriteByte(r.value[r.pos])
				r.pos++
			}
		default:
			r.phrase.WriteByte(c)
		}
	}
	r.end()
}

// group reads a colon. Without an address before it, it ends the name of a group.
func (r *mailboxReader) group() {
	if !r.bracket {
		r.comments = append(r.comments, r.phrase.String())
		r.phrase.Reset()
		return
	}
	if r.colon == 0 {
		r.colon = r.phrase.Len() + 1
	}
	r.phrase.WriteByte(':')
}

// endGroup ends a mailbox in which a colon follows an address in angle brackets. Both may be the name
// of a group, whose address follows the colon.
func (r *mailboxReader) endGroup() {
	if r.colon == 0 {
		return
	}
	phrase := r.phrase.String()
	words := strings.Fields(phrase[r.colon:])
	if n := len(words); n > 0 && strings.Contains(words[n-1], "@") {
		r.found = append(r.found, mailbox{phrase[:r.colon-1] + " " + r.angle, withoutRoute(words[n-1])})
	}
	r.colon = 0
}

// quoted reads a quoted string, after its first quotation mark.
func (r *mailboxReader) quoted() {
	for r.pos < len(r.value) {
		c := r.value[r.pos]
		r.pos++
		switch {
		case c == '"':
			return
		case c == '\\' && r.pos < len(r.value):
			c = r.value[r.pos]
			r.pos++
		}
		r.phrase.WriteByte(c)
	}
	r.unclosed = true
}

// comment reads a comment, after its first parenthesis. Comments may be nested.
func (r *mailboxReader) comment() {
	start, depth := r.pos, 1
	for ; r.pos < len(r.value) && depth > 0; r.pos++ {
		switch r.value[r.pos] {
		case '(':
			depth++
		case ')':
			depth--
		case '\\':
			r.pos++
		}
	}
	r.pos = min(r.pos, len(r.value))
	r.comments = append(r.comments, strings.TrimSuffix(r.value[start:r.pos], ")"))
}

// address reads an address, after its angle bracket. If the mailbox already has an address, some
// programs take that for a part of the name, and others for the address. A text without an "@" in later
// brackets is a name.
func (r *mailboxReader) address() {
	end := strings.IndexAny(r.value[r.pos:], "<>")
	if end < 0 {
		end = len(r.value) - r.pos
	}
	inside := r.value[r.pos : r.pos+end]
	if r.pos += end; r.pos < len(r.value) && r.value[r.pos] == '>' {
		r.pos++
	}
	if r.bracket {
		isAddress := strings.Contains(r.angle, "@")
		if isAddress && !r.several {
			r.several = true
			r.add(r.angle, r.names())
		}
		if isAddress && !strings.Contains(inside, "@") {
			r.add(r.angle, []string{strings.TrimSpace(inside)})
			return
		}
		r.phrase.WriteString(" " + r.angle + " ")
	}
	r.angle, r.bracket = withoutRoute(inside), true
	if _, after, ok := strings.Cut(inside, "("); ok {
		within := mailboxReader{value: after}
		within.comment()
		r.comments = append(r.comments, within.comments...)
	}
}

// withoutRoute returns an address without its route (RFC 5322 §4.4), comments and white
// space.
func withoutRoute(address string) string {
	address = strings.Join(strings.Fields(withoutComments(address)), "")
	if strings.HasPrefix(address, "@") {
		address = address[strings.LastIndexByte(address, ':')+1:]
	}
	return address
}

// withoutComments returns an address without its comments, which may be nested. An unbalanced
// parenthesis stays.
func withoutComments(address string) string {
	var b strings.Builder
	for {
		before, inside, ok := strings.Cut(address, "(")
		if b.WriteString(before); !ok {
			return b.String()
		}
		r := mailboxReader{value: inside}
		if r.comment(); !strings.HasSuffix(inside[:r.pos], ")") {
			return b.String() + "(" + inside
		}
		address = inside[r.pos:]
	}
}

// end ends a mailbox.
func (r *mailboxReader) end() {
	r.endGroup()
	phrase := strings.TrimSpace(r.phrase.String())
	address, names := r.angle, r.names()
	if !r.bracket {
		first, rest, _ := strings.Cut(phrase, " ")
		i := strings.LastIndexAny(phrase, " \t")
		switch {
		case i >= 0 && strings.Contains(phrase[i:], "@") && !strings.Contains(r.value[r.start:r.pos], `"`):
			address = phrase[i+1:]
		case strings.Contains(first, "@") && !strings.Contains(rest, "@") && !isSpread(phrase):
			address, names = first, append(slices.Clip(r.comments), strings.TrimSpace(rest))
		default:
			address, names = phrase, r.comments
		}
	}
	if compact := withoutRoute(address); !r.bracket && compact != address && isSpread(r.phrase.String()) {
		r.found = append(r.found, mailbox{"", compact})
	}
	if r.bracket && !strings.Contains(address, "@") && strings.Contains(phrase, "@") {
		r.found = append(r.found, mailbox{address, withoutRoute(phrase)}) // as in "x@example.com <Example>"
	}
	if address == "" && !r.bracket { // the name of a group that has no addresses
		for _, name := range names {
			r.found = append(r.found, mailbox{name, ""})
		}
	} else {
		r.add(address, names)
	}
	r.phrase.Reset()
	r.comments, r.angle, r.bracket, r.several, r.start = nil, "", false, false, r.pos
}

// names returns the comments and the phrase of the mailbox.
func (r *mailboxReader) names() []string {
	return append(slices.Clip(r.comments), strings.TrimSpace(r.phrase.String()))
}

// add adds a mailbox for each of its names. An address without an "@" is no address, but may be a name.
func (r *mailboxReader) add(address string, names []string) {
	if !strings.Contains(address, "@") {
		if !r.bracket {
			names, address = append(slices.Clip(names), address), ""
		}
		for _, name := range names {
			r.unaddressed = append(r.unaddressed, unaddressed{mailbox{name, address}, len(r.found)})
		}
		return
	}
	for _, name := range names {
		r.found = append(r.found, mailbox{name, address})
	}
	if len(names) == 0 {
		r.found = append(r.found, mailbox{"", address})
	}
}

// isSpread reports whether a phrase is one address with white space around its "@" or dots, which the
// obsolete syntax allows (RFC 5322 §4.4).
func isSpread(phrase string) bool {
	words := strings.Fields(phrase)
	for i := 1; i < len(words); i++ {
		if !strings.ContainsRune("@.", rune(words[i][0])) && !strings.HasSuffix(words[i-1], "@") && !strings.HasSuffix(words[i-1], ".") {
			return false
		}
	}
	return len(words) > 1 && strings.Count(phrase, "@") == 1
}

// withoutSpread joins the letters of a display name that is written with a space after each letter.
// Several spaces separate words.
func withoutSpread(name string) string {
	if !spread.IsLetters(name, unicode.IsSpace) {
		return name
	}
	words := strings.Split(strings.TrimSpace(name), "  ")
	for i, word := range words {
		words[i] = strings.Join(strings.Fields(word), "")
	}
	return strings.Join(words, " ")
}

// VisibleName returns a display name as readers see it: without invisible characters, and with one
// space for several. It ends after MaxName bytes; direction controls do not count.
func VisibleName(name string) string {
	var b strings.Builder
	space, controls := false, 0
	for _, r := range withoutSpread(strings.Map(asSeen, name)) {
		if r == ' ' {
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		if b.Len()-controls >= MaxName {
			break
		}
		b.WriteRune(r)
		if unicode.Is(unicode.Bidi_Control, r) {
			controls += utf8.RuneLen(r)
		}
	}
	return b.String()
}

// minGap is how many blanks in a row push the rest of a display name out of sight.
const minGap = 8

// BeforeGap returns the part of a display name before a long gap, a line end or a NUL, because programs
// may show no more. Without a gap it returns the whole name.
func BeforeGap(name string) string {
	blanks, end := 0, 0
	for i, size := 0, 0; i < len(name); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(name[i:])
		switch {
		case end > 0 && (endsLine(r) || blanks >= minGap):
			return name[:end]
		case asSeen(r) == ' ':
			blanks++
		case asSeen(r) >= 0:
			blanks, end = 0, i+size
		}
	}
	return name
}

// endsLine reports whether r ends a line, or is a NUL, which ends a text in some programs.
func endsLine(r rune) bool { return r == 0 || strings.ContainsRune("\n\v\f\r\u0085\u2028\u2029", r) }

// asSeen returns what readers see of a character: a space for a blank character, and -1 for a character
// that shows nothing by itself.
func asSeen(r rune) rune {
	switch {
	case unicode.IsSpace(r), r == '\u2800', r == '\u3164', r == '\uFFA0':
		return ' '
	case IsInvisible(r):
		return -1
	}
	return r
}

// IsInvisible reports whether a character shows nothing by itself. Direction controls count as visible,
// because they reorder the text around them.
func IsInvisible(r rune) bool {
	switch {
	case unicode.Is(unicode.Bidi_Control, r):
		return false
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), unicode.Is(unicode.Variation_Selector, r):
		return true
	}
	return false
}

// MaxName is how many bytes of a display name are compared with the address. Mail programs show fewer.
const MaxName = 2 << 10

// MaxAddresses is the length in bytes up to which a field is read as a list of addresses. A longer
// field is searched for links like a text. Postfix accepts 100 KiB (header_size_limit).
const MaxAddresses = 128 << 10
