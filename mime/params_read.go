package mime

import (
	"strings"
)

// A param is one written parameter: its lower-case name with the marks of RFC 2231, its
// value without quotes, and the byte range of the value with quotes.
type param struct {
	name, value string
	start, end  int
	escaped     bool // the value has backslashes
	commented   bool // a comment follows it
}

// A paramField is the value of a field of the form value *(";" name "=" value).
type paramField struct {
	value     string
	end       int  // end offset of value
	malformed bool // the grammar is violated, and the results are a lenient reading
}

// parseParams reads a field of RFC 2045 §5.1 or RFC 2183 §2 and appends its parameters to
// buf. The standard library cannot do it: it does not know comments, nor charsets other
// than UTF-8 in RFC 2231. It drops all parameters if one is malformed, keeps backslashes
// before letters, and hides duplicates. All these decide whether a message is ambiguous.
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

// maxComments is how deep comments may be nested. Lenient reading reads a comment again for each
// comment around it, so deeper nesting would take quadratic time.
const maxComments = 20

// skip passes over white space and comments, which nest (RFC 5322 §3.2.2). A comment that does not end,
// or is nested too deep, takes the rest of the field.
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

// isTokenByte reports whether a token may contain c (RFC 2045 §5.1): visible ASCII
// without tspecials.
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
