package history

import "slices"

// kept is a message in memory.
type kept struct {
	Message
	terms, words []string
}

func newKept(m Message) kept { return kept{m, m.terms(), wordsOf(m.text())} }

// A matcher is a query that is ready to look at messages in memory.
type matcher struct {
	low, high ID
	terms     []string
	phrases   phrases
}

func (q *Query) matcher() matcher {
	low, high := q.bounds()
	return matcher{low, high, q.terms(), newPhrases(q.Text)}
}

func (m *matcher) matches(k *kept) bool {
	if k.ID < m.low || k.ID >= m.high {
		return false
	}
	for _, t := range m.terms {
		if !slices.Contains(k.terms, t) {
			return false
		}
	}
	return m.phrases.in(k.words)
}
