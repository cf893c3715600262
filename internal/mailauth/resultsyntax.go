package mailauth

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// maxResultValue bounds a value of Authentication-Results, in bytes.
const maxResultValue = 16 << 10

// authservID splits a field without comments and quotes into its id and its results.
func authservID(plain string) (id, results string, ok bool) {
	head, results, _ := strings.Cut(plain, ";")
	words := strings.Fields(head)
	if len(words) == 0 || len(words) > 2 || len(words) == 2 && words[1] != "1" {
		return "", "", false
	}
	return words[0], results, true
}

// statements yields the results one by one, in the format that go-msgauth reads.
func statements(results string) []string {
	var list []string
	for statement := range strings.SplitSeq(results, ";") {
		statement = joinPairs(statement)
		if word, _, _ := strings.Cut(statement, " "); statement == "" || strings.EqualFold(word, "none") {
			continue
		}
		method, _, _ := strings.Cut(statement, "=")
		if name, version, found := strings.Cut(method, "/"); found {
			if version != "1" {
				continue
			}
			statement = name + statement[len(method):]
		}
		list = append(list, statement)
	}
	return list
}

// plainResults returns the value of an Authentication-Results field without comments
// and quotes: go-msgauth splits at every semicolon and knows neither, nor white space
// around "=" (RFC 8601 §2.2). Quoted characters that are syntax outside of quotes
// become "_". It fails if a comment or a quoted text does not end.
func plainResults(value string) (string, bool) {
	if len(value) > maxResultValue {
		return "", false
	}
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

// commentEnd returns the offset of the parenthesis that closes the one at start, or
// -1 if the comment does not end. Comments nest (RFC 5322 §3.2.2).
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

// maxPair is how many bytes a pair may have for joinPairs to remove its white space.
const maxPair = 1024

// joinPairs removes the white space where a pair of a result may have comments:
// around "=", and in the name around "." and "/". Other white space becomes a single
// space.
func joinPairs(statement string) string {
	var b strings.Builder
	last := "" // the current pair
	for _, word := range strings.Fields(statement) {
		name, value, found := strings.Cut(last, "=")
		inName := !found && name != "" && (strings.IndexByte("./", name[len(name)-1]) >= 0 || strings.IndexByte("=./", word[0]) >= 0)
		if (inName || found && value == "") && len(last) < maxPair {
			last += word
		} else {
			if last != "" {
				b.WriteByte(' ')
			}
			last = word
		}
		b.WriteString(word)
	}
	return b.String()
}

// isWord reports whether s is a keyword (RFC 8601 §2.2, RFC 5321 §4.1.2).
func isWord(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !ascii.IsAlphanumeric(c) && c != '-' && c != '_' {
			return false
		}
	}
	return true
}
