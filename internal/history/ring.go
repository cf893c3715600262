package history

import (
	"slices"
	"sync"
)

// A ring keeps the newest messages in memory. Several goroutines may use it.
type ring struct {
	mu   sync.RWMutex
	most int
	next int // place of the next message
	list []kept
}

// add keeps a message. If the ring is full, it replaces the oldest one.
func (r *ring) add(m Message) {
	if r.most == 0 {
		return
	}
	k := newKept(m)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.list) < r.most {
		r.list = append(r.list, k)
	} else {
		r.list[r.next] = k
	}
	r.next = (r.next + 1) % r.most
}

// replace puts a message in the place of the one with its ID, if that is still kept.
func (r *ring) replace(m Message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.IndexFunc(r.list, func(k kept) bool { return k.ID == m.ID }); i >= 0 {
		r.list[i] = newKept(m)
	}
}

// find returns at most most messages of a query, in its order.
func (r *ring) find(q *Query, most int) []Message {
	m := q.matcher()
	r.mu.RLock()
	defer r.mu.RUnlock()
	var chosen []Message
	for i := range r.list {
		// Begin at the oldest message. In a full ring it is at the next place to write.
		if !q.rising() {
			i = len(r.list) - 1 - i
		}
		if k := &r.list[(r.next+i)%len(r.list)]; len(chosen) < most && m.matches(k) {
			chosen = append(chosen, k.Message)
		}
	}
	return chosen
}

// get returns the message with an ID, if it is still kept.
func (r *ring) get(id ID) (Message, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if i := slices.IndexFunc(r.list, func(k kept) bool { return k.ID == id }); i >= 0 {
		return r.list[i].Message, true
	}
	return Message{}, false
}

// kept is a message in memory.
type kept struct {
	Message
	terms, words []string
}

func newKept(m Message) kept { return kept{m, m.terms(), wordsOf(m.text())} }

// A matcher is a query, prepared for messages in memory.
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
