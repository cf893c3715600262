package history

import (
	"context"

	"github.com/linkmilter/linkmilter/policy"
)

// What operators say of findings.
const (
	MarkRight = "right"
	MarkWrong = "wrong"
)

// Change changes what is kept of a flagged message beside its words, and returns it. It reports whether
// there is one. It does not wait for the file.
func (h *History) Change(ctx context.Context, id ID, change func(*Message)) (m Message, ok bool, err error) {
	h.changing.Lock()
	defer h.changing.Unlock()
	if m, ok, err = h.Get(ctx, id); !ok || err != nil {
		return m, ok, err
	}
	m = m.clone()
	change(&m)
	h.ring.replace(m)
	if s := h.file(); s != nil {
		m.Changed = true
		s.Add(m)
	}
	return m, true, nil
}

// clone returns a message whose marks are its own.
func (m Message) clone() Message {
	marks := make(map[policy.Code]string, len(m.Marks)+1)
	for code, mark := range m.Marks {
		marks[code] = mark
	}
	m.Marks = marks
	return m
}

// Codes returns the codes of the findings, each once, in order.
func (m *Message) Codes() (codes []policy.Code) {
	known := make(map[policy.Code]bool)
	add := func(findings []policy.Finding) {
		for _, f := range findings {
			if f.Severity >= policy.SeverityMedium && !known[f.Code] {
				known[f.Code] = true
				codes = append(codes, f.Code)
			}
		}
	}
	add(m.Findings)
	for _, l := range m.Links {
		add(l.Findings)
	}
	return codes
}
