package history

import (
	"cmp"
	"strings"

	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/policy"
)

// Kinds of terms: the first letter of a term says what it is about.
const (
	termCode     = 'c'
	termSeverity = 's'
	termHost     = 'h'
	termRule     = 'r'
	termAction   = 'a'
)

// maxParents bounds the terms of one host; a host of many labels is hostile.
const maxParents = 8

// term returns a value as one word of the index, whatever it holds. The index folds
// capital letters and splits words at other ASCII, so these move beyond ASCII.
func term(kind rune, value string) string {
	return string(kind) + strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r >= 0x80 {
			return r
		}
		return r + 0xE000 // private use: no printable text has it
	}, value)
}

// terms returns what filters ask of a message, each once.
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

// hostAndParents returns a host and the domains that it lies in, without the top-level
// domain.
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

// terms returns those that a message must have to match.
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
	if q.Severity > policy.SeverityMedium { // all messages are medium or above
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

// text returns all texts of the message that a search looks at.
func (m *Message) text() string {
	texts := append([]string{m.QueueID, m.MessageID, m.Client, m.Sender}, m.Recipients...)
	for _, l := range m.Links {
		texts = append(texts, l.Text, l.ASCIIHost, l.UnicodeHost, l.LooksLike)
	}
	return strings.Join(texts, "\n")
}
