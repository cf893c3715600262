package mime

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/emersion/go-message/charset"
)

// A param is one parameter as it stands in a field: its name in lower case with
// the marks of RFC 2231, its value without quotes, and the range of the value with
// them.
type param struct {
	name, value string
	start, end  int
	escaped     bool // backslashes stand in the value
	commented   bool // a comment follows it
}

// A paramField is the value of a field of the form value *(";" name "=" value).
type paramField struct {
	value     string
	end       int  // of value
	malformed bool // the grammar is violated; what was read is a lenient reading
}

// parseParams reads a field of RFC 2045 §5.1 or RFC 2183 §2. The standard
// library's reader knows neither comments nor charsets other than UTF-8 in RFC
// 2231, drops all parameters when one is malformed, keeps backslashes that quote
// a letter, and does not tell of a parameter that stands twice; each of these
// decides here whether a message is ambiguous.
//
// The parameters are appended to buf.
func parseParams(s string, buf []param) (f paramField, params []param) {
	params = buf
	c := &cursor{s: s}
	c.skip()
	start := c.pos
	for c.pos < len(s) && s[c.pos] != ';' && s[c.pos] != '(' {
		c.pos++
	}
	f.value = strings.TrimRight(s[start:c.pos], " \t")
	f.end = start + len(f.value)
	c.skip()
	for c.pos < len(s) {
		if s[c.pos] != ';' {
			c.malformed = true
			c.until(';')
			continue
		}
		c.pos++
		c.skip()
		if c.pos < len(s) && s[c.pos] != ';' {
			if q, ok := c.param(); ok {
				params = append(params, q)
			}
			c.skip()
		}
	}
	f.malformed = c.malformed
	return f, params
}

// A cursor reads the lexical tokens of a structured field.
type cursor struct {
	s         string
	pos       int
	malformed bool
}

// maxComments is how deep comments may be nested. What is read leniently is passed
// once for each comment around it.
const maxComments = 20

// skip passes white space and comments, which nest (RFC 5322 §3.2.2). A comment that
// does not end, or is nested too deep, takes the rest of the field.
func (c *cursor) skip() {
	depth := 0
	for ; c.pos < len(c.s); c.pos++ {
		switch b := c.s[c.pos]; {
		case b == '(':
			if depth++; depth > maxComments {
				c.pos = len(c.s)
			}
		case depth == 0 && b != ' ' && b != '\t':
			return
		case depth == 0:
		case b == ')':
			depth--
		case b == '\\':
			c.pos++
		}
	}
	c.pos = min(c.pos, len(c.s))
	if depth > 0 {
		c.malformed = true
	}
}

// until moves to the next b, or to the end, and returns what it passed.
func (c *cursor) until(b byte) string {
	start := c.pos
	if i := strings.IndexByte(c.s[c.pos:], b); i >= 0 {
		c.pos += i
	} else {
		c.pos = len(c.s)
	}
	return c.s[start:c.pos]
}

// token reads the longest token of RFC 2045 §5.1, which may be empty.
func (c *cursor) token() string {
	start := c.pos
	for c.pos < len(c.s) && isTokenByte(c.s[c.pos]) {
		c.pos++
	}
	return c.s[start:c.pos]
}

// quoted reads a quoted-string from its opening quote.
func (c *cursor) quoted() string {
	if i := strings.IndexAny(c.s[c.pos+1:], `"\`); i >= 0 && c.s[c.pos+1+i] == '"' {
		start := c.pos + 1
		c.pos = start + i + 1
		return c.s[start : start+i]
	}
	var b strings.Builder
	for c.pos++; c.pos < len(c.s); c.pos++ {
		switch c.s[c.pos] {
		case '"':
			c.pos++
			return b.String()
		case '\\':
			if c.pos+1 < len(c.s) {
				c.pos++
			}
		}
		b.WriteByte(c.s[c.pos])
	}
	c.malformed = true
	return b.String()
}

// param reads one parameter and reports whether there is one. A value that is
// neither token nor quoted-string is taken up to the next semicolon.
func (c *cursor) param() (param, bool) {
	name := strings.ToLower(c.token())
	c.skip()
	if name == "" || c.pos == len(c.s) || c.s[c.pos] != '=' {
		c.malformed = true
		c.until(';')
		return param{}, false
	}
	c.pos++
	c.skip()
	start := c.pos
	if c.pos < len(c.s) && c.s[c.pos] == '"' {
		value := c.quoted()
		end := c.pos
		c.skip()
		return param{name, value, start, end, strings.Contains(c.s[start:end], `\`), strings.Contains(c.s[end:c.pos], "(")}, true
	}
	value := c.token()
	end := c.pos
	c.skip()
	commented := strings.Contains(c.s[end:c.pos], "(")
	if value == "" || c.pos < len(c.s) && c.s[c.pos] != ';' {
		c.malformed = true
		c.pos = start
		value = strings.TrimRight(c.until(';'), " \t")
		end, commented = start+len(value), false
	}
	return param{name, value, start, end, false, commented}, true
}

func isToken(s string) bool {
	for i := range len(s) {
		if !isTokenByte(s[i]) {
			return false
		}
	}
	return s != ""
}

// isTokenByte reports whether c may stand in a token of RFC 2045 §5.1: visible
// ASCII without tspecials.
func isTokenByte(c byte) bool { return tokenBytes[c] }

var tokenBytes = func() (t [256]bool) {
	for c := '!'; c <= '~'; c++ {
		t[c] = !strings.ContainsRune(`()<>@,;:\"/[]?=`, c)
	}
	return t
}()

// stripComments returns the words of a structured field that has no
// quoted-strings, without comments and white space around them.
func stripComments(s string) string {
	if !strings.ContainsAny(s, " \t(") {
		return s
	}
	c := &cursor{s: s}
	var words []string
	for c.skip(); c.pos < len(s); c.skip() {
		start := c.pos
		for c.pos < len(s) && !strings.ContainsRune(" \t(", rune(s[c.pos])) {
			c.pos++
		}
		words = append(words, s[start:c.pos])
	}
	return strings.Join(words, " ")
}

// A Param is a parameter of Content-Type.
type Param struct {
	Name  string // in lower case
	Value string // without quotes, RFC 2231 decoded
}

// Params are the parameters of Content-Type, each name once.
type Params []Param

// Lookup returns the value of a parameter by its name in lower case.
func (p Params) Lookup(name string) (value string, ok bool) {
	if i := p.index(name); i >= 0 {
		return p[i].Value, true
	}
	return "", false
}

// Get returns the value of a parameter by its name in lower case, "" where there
// is none.
func (p Params) Get(name string) string {
	value, _ := p.Lookup(name)
	return value
}

func (p Params) index(name string) int {
	return slices.IndexFunc(p, func(q Param) bool { return q.Name == name })
}

// with returns the parameters with another value of one of them.
func (p Params) with(name, value string) Params {
	changed := slices.Clone(p)
	if i := changed.index(name); i >= 0 {
		changed[i].Value = value
	}
	return changed
}

// A paramSet collects parameters. Of many it keeps an index, so that nobody makes
// us search long.
type paramSet struct {
	params Params
	known  map[string]int
}

// manyParams is how many parameters are searched without an index.
const manyParams = 16

func (s *paramSet) index(name string) int {
	if s.known == nil {
		return s.params.index(name)
	}
	if i, ok := s.known[name]; ok {
		return i
	}
	return -1
}

// set adds a parameter, or gives it another value.
func (s *paramSet) set(name, value string) {
	if i := s.index(name); i >= 0 {
		s.params[i].Value = value
		return
	}
	s.params = append(s.params, Param{name, value})
	if s.known != nil {
		s.known[name] = len(s.params) - 1
	} else if len(s.params) > manyParams {
		s.known = make(map[string]int)
		for i, p := range s.params {
			s.known[p.Name] = i
		}
	}
}

// combine returns the parameters by name with the continuations and encodings of
// RFC 2231 resolved, and what is doubtful about them. The extended form of a name
// goes before the plain one, else the first counts.
func combine(params []param) (values Params, doubts []Reason) {
	if len(params) == 0 {
		return nil, nil
	}
	set := paramSet{params: make(Params, 0, min(len(params), manyParams))}
	var extended []param
	for _, p := range params {
		switch {
		case p.name == "boundary" && (p.escaped || p.commented):
			doubts = append(doubts, ReasonInvalidBoundary)
		case p.escaped && decides(p.name):
			doubts = append(doubts, ReasonMalformedContentType)
		}
		if strings.Contains(p.name, "*") {
			extended = append(extended, p)
			continue
		}
		if i := set.index(p.name); i < 0 {
			set.set(p.name, p.value)
		} else if set.params[i].Value != p.value || decides(p.name) {
			doubts = append(doubts, duplicate(p.name))
		}
	}
	if len(extended) > 0 {
		doubts = append(doubts, combineExtended(&set, extended)...)
	}
	return set.params, doubts
}

// combineExtended adds parameters in the syntax of RFC 2231 to a set. A name in
// both forms is good practice for file names (RFC 6266 §4.3) and nowhere else.
func combineExtended(set *paramSet, extended []param) (doubts []Reason) {
	sections := make(map[string]string, len(extended))
	for _, p := range extended {
		base, _, _ := strings.Cut(p.name, "*")
		if first, twice := sections[p.name]; !twice {
			sections[p.name] = p.value
		} else if first != p.value {
			doubts = append(doubts, duplicate(base))
		}
		if decides(base) {
			doubts = append(doubts, ReasonExtendedParameter)
			if set.index(base) >= 0 {
				doubts = append(doubts, duplicate(base))
			}
		}
	}
	joined := make(map[string]bool)
	for _, p := range extended {
		base, section, _ := strings.Cut(p.name, "*")
		if (section == "" || section == "0" || section == "0*") && !joined[base] {
			joined[base] = true
			set.set(base, decodeExtended(base, sections))
		}
	}
	return doubts
}

// decides reports whether a parameter of Content-Type decides how a part is
// read.
func decides(name string) bool {
	return name == "boundary" || name == "charset" || name == "format" || name == "delsp"
}

func duplicate(name string) Reason {
	if name == "boundary" {
		return ReasonDuplicateBoundary
	}
	return ReasonDuplicateParameter
}

// decodeExtended joins the sections of one parameter (RFC 2231 §3, §4). What
// cannot be decoded stays as it is written, so that a named part keeps a name.
func decodeExtended(base string, sections map[string]string) string {
	if value, ok := sections[base+"*"]; ok {
		label, text := cutCharset(value)
		return toUTF8(label, unescape(text))
	}
	var octets strings.Builder
	var label string
	for n := 0; ; n++ {
		name := base + "*" + strconv.Itoa(n)
		if value, ok := sections[name+"*"]; ok {
			if n == 0 {
				label, value = cutCharset(value)
			}
			octets.WriteString(unescape(value))
			continue
		}
		value, ok := sections[name]
		if !ok {
			return toUTF8(label, octets.String())
		}
		octets.WriteString(value)
	}
}

// cutCharset splits charset'language'text.
func cutCharset(value string) (label, text string) {
	label, rest, ok := strings.Cut(value, "'")
	if !ok {
		return "", value
	}
	if _, text, ok = strings.Cut(rest, "'"); !ok {
		return "", value
	}
	return label, text
}

// unescape decodes %XX; a percent sign without two digits stays.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if octet, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(octet))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// toUTF8 decodes s from the charset called label, or returns it as it is.
func toUTF8(label, s string) string {
	if label == "" {
		return s
	}
	r, err := charset.Reader(label, strings.NewReader(s))
	if err != nil {
		return s
	}
	decoded, err := io.ReadAll(r)
	if err != nil {
		return s
	}
	return string(decoded)
}
