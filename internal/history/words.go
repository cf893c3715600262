package history

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/policy"
)

// unspaced are scripts that write words without spaces between them. Each of their
// letters counts as a word.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// wordsOf returns the words of a text in lower case: letters, marks and digits. Everything
// else separates words.
func wordsOf(text string) []string {
	var words []string
	start, lower := -1, strings.ToLower(text)
	end := func(at int) {
		if start >= 0 {
			words = append(words, lower[start:at])
		}
		start = -1
	}
	for i, r := range lower {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r):
			end(i)
		case unicode.In(r, unspaced...):
			end(i)
			words = append(words, string(r))
		case start < 0:
			start = i
		}
	}
	end(len(lower))
	return words
}

// Bounds of a search, so that it stays cheap.
const (
	maxPhrases = 6
	maxWords   = 20 // words of a phrase
)

// A phrase is a sequence of words.
type phrase struct {
	words  []string
	begins bool // the last word may be only the beginning of a word
}

// phrases are the parts of a search between spaces. A message matches if it has all of them. An
// asterisk after a phrase stands for the rest of its last word.
type phrases []phrase

func newPhrases(text string) phrases {
	var all phrases
	for field := range strings.FieldsSeq(text) {
		if words := wordsOf(field); len(words) > 0 && len(all) < maxPhrases {
			all = append(all, phrase{words[:min(len(words), maxWords)], strings.HasSuffix(field, "*")})
		}
	}
	return all
}

// in reports whether all phrases occur in words.
func (p phrases) in(words []string) bool {
	for _, phrase := range p {
		if !phrase.in(words) {
			return false
		}
	}
	return true
}

func (p phrase) in(words []string) bool {
	last := len(p.words) - 1
	for at := range max(0, len(words)-last) {
		window := words[at : at+len(p.words)]
		if slices.Equal(window[:last], p.words[:last]) && (window[last] == p.words[last] || p.begins && strings.HasPrefix(window[last], p.words[last])) {
			return true
		}
	}
	return false
}

// Kinds of terms: the first letter of a term says what it is about.
const (
	termCode     = 'c'
	termSeverity = 's'
	termHost     = 'h'
	termRule     = 'r'
	termAction   = 'a'
	termMark     = 'm'
)

// maxParents bounds the terms for one host. Honest hosts have few labels.
const maxParents = 8

// term returns a value as one word of the index, whatever it holds. The index ignores case and
// divides words at ASCII signs, so term replaces ASCII characters by private ones.
func term(kind rune, value string) string {
	return string(kind) + strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r >= 0x80 {
			return r
		}
		return r + 0xE000 // a character for private use, which no printable text has
	}, value)
}

// terms returns the terms of a message for which filters ask, each once.
func (m *Message) terms() []string {
	var all []string
	known := make(map[string]bool)
	add := func(kind rune, value string) {
		if t := term(kind, value); value != "" && !known[t] {
			known[t] = true
			all = append(all, t)
		}
	}
	add(termSeverity, m.Worst.String())
	add(termRule, m.Rule)
	add(termAction, m.Action)
	for _, mark := range m.Marks {
		add(termMark, mark)
	}
	for _, f := range m.Findings {
		add(termCode, string(f.Code))
	}
	for _, l := range m.Links {
		for _, f := range l.Findings {
			add(termCode, string(f.Code))
		}
		for _, host := range hostAndParents(l.ASCIIHost) {
			add(termHost, host)
		}
	}
	return all
}

// hostAndParents returns a host and the domains above it, without the top-level domain.
func hostAndParents(host string) []string {
	list := []string{strings.ToLower(host)}
	for parent := host; !hostname.IsIP(host) && len(list) < maxParents; {
		_, parent, _ = strings.Cut(parent, ".")
		if !strings.Contains(parent, ".") {
			break
		}
		list = append(list, strings.ToLower(parent))
	}
	return list
}

// terms returns the terms that a message must have to match the query.
func (q *Query) terms() []string {
	var all []string
	add := func(kind rune, value string) {
		if value != "" {
			all = append(all, term(kind, value))
		}
	}
	add(termCode, string(q.Code))
	add(termRule, q.Rule)
	add(termAction, q.Action)
	add(termMark, q.Mark)
	if q.Severity > policy.SeverityMedium { // all messages have at least medium
		add(termSeverity, q.Severity.String())
	}
	if host := strings.Trim(strings.TrimSpace(q.Host), "."); host != "" {
		ascii, err := hostname.ASCII(host)
		if err != nil {
			ascii = ""
		}
		add(termHost, cmp.Or(ascii, strings.ToLower(host)))
	}
	return all
}

// text returns all texts of the message in which a search looks.
func (m *Message) text() string {
	texts := append([]string{m.QueueID, m.MessageID, m.Client, m.Sender, m.Subject}, m.Recipients...)
	for _, f := range m.Findings {
		texts = append(texts, f.Detail) // who the mail says it is from
	}
	for _, l := range m.Links {
		texts = append(texts, l.Text, l.ASCIIHost, l.UnicodeHost, l.LooksLike)
	}
	return strings.Join(texts, "\n")
}
