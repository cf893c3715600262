//go:build unix

package traffic

import (
	"bytes"
	"fmt"
	"regexp"
	"sync"
)

// Totals are the messages of an account, by what became of them.
type Totals struct {
	Sent      int // those that are complete: sent, tried again, accepted
	Filtered  int // arrived as the filter makes them, changed by it
	Same      int // arrived as the filter makes them, which is as they were sent
	Original  int // arrived as they were sent, perhaps tagged, although the filter would change them
	Retries   int // attempts that failed or were put off
	Repeated  int // arrived once more after an attempt whose reply was lost, as SMTP allows
	Lost      int // accepted, but did not arrive
	Damaged   int // arrived in another form
	Doubled   int // arrived more often than was tried
	Unsettled int // neither accepted nor given up yet
}

// OK reports whether no message is lost, damaged or doubled.
func (t Totals) OK() bool { return t.Lost+t.Damaged+t.Doubled == 0 }

// An Account keeps account of messages. All goroutines may use it.
type Account struct {
	mu       sync.Mutex
	open     map[string]*entry
	totals   Totals
	problems []string
}

// entry is a message whose accounting is not finished.
type entry struct {
	message   *Message
	uncertain int // attempts that failed after the content was sent
	arrived   int
	accepted  bool
}

// NewAccount returns an empty account.
func NewAccount() *Account { return &Account{open: make(map[string]*entry)} }

// maxProblems bounds the problems that an account describes.
const maxProblems = 20

func (a *Account) problem(format string, args ...any) {
	if len(a.problems) < maxProblems {
		a.problems = append(a.problems, fmt.Sprintf(format, args...))
	}
}

// Problems describes the first messages that were lost, damaged or doubled.
func (a *Account) Problems() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string(nil), a.problems...)
}

// Totals returns the totals so far.
func (a *Account) Totals() Totals {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.totals
	for _, e := range a.open {
		if !e.accepted {
			t.Unsettled++
		}
	}
	return t
}

// Close counts the messages as lost that were accepted and did not arrive, and returns
// the totals.
func (a *Account) Close() Totals {
	a.mu.Lock()
	for id, e := range a.open {
		if e.accepted && e.arrived == 0 {
			a.totals.Lost++
			a.problem("message %s: lost", id)
		}
	}
	a.mu.Unlock()
	return a.Totals()
}

// begin notes that a message will be sent.
func (a *Account) begin(m *Message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.open[m.ID] = &entry{message: m}
}

// failed notes that an attempt did not succeed. uncertain says that the message may have
// arrived all the same.
func (a *Account) failed(m *Message, uncertain bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.totals.Retries++
	if uncertain {
		a.open[m.ID].uncertain++
	}
}

// accepted notes that the sender is told that the message was accepted.
func (a *Account) accepted(m *Message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	e := a.open[m.ID]
	e.accepted = true
	a.totals.Sent++
	a.settle(m.ID, e)
}

// refused notes a reply that no message of the corpus should get.
func (a *Account) refused(m *Message, reply string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.open, m.ID)
	a.totals.Sent++
	a.totals.Lost++
	a.problem("message %s: refused for good: %s", m.ID, reply)
}

// abandoned notes that the sender gives up: the message is not part of the account.
func (a *Account) abandoned(m *Message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if e := a.open[m.ID]; e != nil && e.uncertain == 0 && e.arrived == 0 {
		delete(a.open, m.ID)
	}
}

// settle forgets a message that cannot arrive again.
func (a *Account) settle(id string, e *entry) {
	if e.accepted && e.uncertain == 0 && e.arrived == 1 {
		delete(a.open, id)
	}
}

// idOf finds the number of a message.
var idOf = regexp.MustCompile(`(?m)^` + idField + `: ([0-9a-f]{16})\r$`)

// arrived notes a message at its destination.
func (a *Account) arrived(raw []byte) {
	header, _, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
	found := idOf.FindAllSubmatch(header, 2)
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(found) != 1 {
		a.totals.Damaged++
		a.problem("a message without its number, or with two:\n%.500s", header)
		return
	}
	id := string(found[0][1])
	e := a.open[id]
	if e == nil {
		a.totals.Doubled++
		a.problem("message %s arrived again, or was never sent", id)
		return
	}
	e.arrived++
	switch {
	case e.arrived > 1 && e.arrived <= e.uncertain+1:
		a.totals.Repeated++
	case e.arrived > 1:
		a.totals.Doubled++
		a.problem("message %s arrived %d times", id, e.arrived)
	}
	a.compare(e.message, raw, e.arrived == 1)
	a.settle(id, e)
}

// compare checks a message that arrived. Only the first time counts in the totals.
func (a *Account) compare(m *Message, raw []byte, first bool) {
	counter := &a.totals.Original
	switch {
	case bytes.Equal(raw, m.want):
		if counter = &a.totals.Same; m.Changed() {
			counter = &a.totals.Filtered
		}
	case bytes.Equal(untagged(raw), untagged(m.Raw)):
	default:
		a.totals.Damaged++
		a.problem("message %s: %s", m.ID, difference(m.want, raw))
		return
	}
	if first {
		*counter++
	}
}

// tags matches the fields that linkmilter writes.
var tags = regexp.MustCompile(`(?mi)^X-Linkmilter[^:]*:.*\n(?:[ \t].*\n)*`)

// untagged returns a message without the fields that linkmilter writes.
func untagged(raw []byte) []byte {
	header, body, found := bytes.Cut(raw, []byte("\r\n\r\n"))
	if !found {
		return raw
	}
	header = tags.ReplaceAll(append(bytes.Clone(header), "\r\n"...), nil)
	return append(append(header, "\r\n"...), body...)
}

// difference describes where two messages differ.
func difference(want, got []byte) string {
	i := 0
	for i < min(len(want), len(got)) && want[i] == got[i] {
		i++
	}
	from := max(i-60, 0)
	return fmt.Sprintf("%d bytes, want %d; from byte %d on %.160q, want %.160q", len(got), len(want), i, got[from:], want[from:])
}
