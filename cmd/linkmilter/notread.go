package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/report"
)

// notRead counts the messages that were not read to their end, by reason: an unread
// message is not a clean one.
type notRead struct {
	messages int
	reasons  map[report.Reason]int
}

func (n *notRead) add(r report.Report) {
	if r.Outcome == report.OutcomeComplete {
		return
	}
	n.messages++
	if n.reasons == nil {
		n.reasons = make(map[report.Reason]int)
	}
	for _, reason := range r.Reasons {
		n.reasons[reason]++
	}
}

// print writes one line, or nothing where all was read.
func (n *notRead) print(w io.Writer) {
	if n.messages == 0 {
		return
	}
	var counts []string
	for _, reason := range slices.Sorted(maps.Keys(n.reasons)) {
		counts = append(counts, fmt.Sprintf("%s %d", reason, n.reasons[reason]))
	}
	fmt.Fprintf(w, "linkmilter: not read in full: messages %d (%s)\n", n.messages, strings.Join(counts, ", "))
}
