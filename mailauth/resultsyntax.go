package mailauth

import "strings"

// splitResults takes the value of an Authentication-Results field apart: its
// authserv-id, and its results one by one, in the form that go-msgauth reads.
// That library splits at every semicolon and knows neither comments nor quotes
// nor white space around "=" (RFC 8601 §2.2): comments go, quotes too, and what
// stood between them and could be read as syntax becomes "_".
func splitResults(value string) (id string, results []string, ok bool) {
	if len(value) > maxResultValue {
		return "", nil, false
	}
	plain, ok := plainResults(value)
	if !ok {
		return "", nil, false
	}
	head, rest, _ := strings.Cut(plain, ";")
	words := strings.Fields(head)
	if len(words) == 0 || len(words) > 2 || len(words) == 2 && words[1] != "1" {
		return "", nil, false
	}
	for statement := range strings.SplitSeq(rest, ";") {
		statement = joinPairs(statement)
		if word, _, _ := strings.Cut(statement, " "); statement == "" || strings.EqualFold(word, "none") {
			continue
		}
		if method, version, found := strings.Cut(statement[:max(0, strings.IndexByte(statement, '='))], "/"); found {
			if version != "1" {
				continue
			}
			statement = method + statement[len(method)+len("/1"):]
		}
		results = append(results, statement)
	}
	return words[0], results, true
}

// plainResults removes comments and quotes. It fails where one does not end.
func plainResults(value string) (string, bool) {
	var b strings.Builder
	b.Grow(len(value))
	for i := 0; i < len(value); i++ {
		switch c := value[i]; c {
		case '(':
			if i = commentEnd(value, i); i < 0 {
				return "", false
			}
			b.WriteByte(' ')
		case '"':
			for i++; ; i++ {
				if i >= len(value) {
					return "", false
				}
				if value[i] == '"' {
					break
				}
				if value[i] == '\\' && i+1 < len(value) {
					i++
				}
				if strings.IndexByte(" \t\r\n;()\"\\/", value[i]) >= 0 {
					b.WriteByte('_')
				} else {
					b.WriteByte(value[i])
				}
			}
		case ' ', '\t', '\r', '\n':
			b.WriteByte(' ')
		default:
			if c < ' ' || c == 0x7F {
				return "", false
			}
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// commentEnd returns the offset of the parenthesis that closes the one at start,
// -1 where none does. Comments nest (RFC 5322 §3.2.2).
func commentEnd(s string, start int) int {
	depth := 0
	for i := start; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// joinPairs removes the white space around "=", "." and "/" in a result, and makes
// the rest single spaces. A "." stands alone only where comments were about it.
func joinPairs(statement string) string {
	var b strings.Builder
	glue := true // what comes next belongs to what stands before
	for _, word := range strings.Fields(statement) {
		if !glue && strings.IndexByte("=./", word[0]) < 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		glue = strings.IndexByte("=./", word[len(word)-1]) >= 0 && !isBase64End(word)
	}
	return b.String()
}

// isBase64End reports whether a word is a pair whose value ends in "=", such as
// header.b=dGVzdA==, rather than one whose value is still to come.
func isBase64End(word string) bool {
	i := strings.IndexByte(word, '=')
	return i >= 0 && i < len(word)-1
}

// isWord reports whether s is a keyword (RFC 8601 §2.2, RFC 5321 §4.1.2).
func isWord(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if letter := c|0x20 >= 'a' && c|0x20 <= 'z'; !letter && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}
