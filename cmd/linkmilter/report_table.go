package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/internal/eventlog"
	"github.com/linkmilter/linkmilter/internal/printable"
)

// Bounds of the tables of `report`.
const (
	maxFlagged = 50
	maxNames   = 20
)

// text returns the report for people.
func (t *tally) text(p paint) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s from %s\n", counted(t.now.messages, "message"), t.since.Format(dayAndTime))
	switch {
	case t.newest.IsZero():
		b.WriteString("the log has no line about a message: want the log of linkmilter serve\n")
	case t.now.messages == 0:
		fmt.Fprintf(&b, "the log has messages from %s to %s: choose --since, --about or --recipient\n", t.first.Format(dayAndTime), t.newest.Format(dayAndTime))
	}
	b.WriteString("\n" + columns("  ", t.comparison(p)))
	if len(t.flagged) > 0 {
		b.WriteString("\nflagged messages\n" + columns("  ", t.flaggedRows(p)))
		if left := t.now.flagged - len(t.flagged); left > 0 {
			fmt.Fprintf(&b, "  and %s before: --all lists them\n", printable.Number(left))
		}
	}
	type table struct {
		title     string
		now, last map[string]int
	}
	tables := []table{{"imitated names", t.names, t.lastNames}, {"not edited", t.now.notEdited, t.last.notEdited}}
	if t.severalNodes() {
		tables = append(tables, table{"messages by node", t.now.nodes, t.last.nodes})
	}
	for _, table := range tables {
		if len(table.now)+len(table.last) > 0 {
			b.WriteString("\n" + columns("  ", countRows(p, table.title, table.now, table.last)))
		}
	}
	return b.String()
}

const dayAndTime = "2006-01-02 15:04"

// comparison returns the rows that compare the period with the one before.
func (t *tally) comparison(p paint) [][]cell {
	rows := [][]cell{headRow(p, "", "now", "before")}
	add := func(name string, now, last int) {
		rows = append(rows, []cell{plainCell(name), numberCell(now, "before"), numberCell(last, "before")})
	}
	add("messages", t.now.messages, t.last.messages)
	add("flagged", t.now.flagged, t.last.flagged)
	add("edited", t.now.edited, t.last.edited)
	actions := maps.Clone(t.now.actions)
	maps.Copy(actions, t.last.actions)
	for _, action := range slices.Sorted(maps.Keys(actions)) {
		add(action, t.now.actions[action], t.last.actions[action])
	}
	return rows
}

// flaggedRows lists the flagged messages, the newest first.
func (t *tally) flaggedRows(p paint) [][]cell {
	head := []string{"time", "sender", "recipients", "host", "looks like", "happened", "queue id"}
	several := t.severalNodes()
	if several {
		head = append(head, "node") // queue ids are unique only on one mail server
	}
	rows := [][]cell{headRow(p, head...)}
	for _, e := range t.flagged {
		at := ""
		if !e.Time.IsZero() {
			at = e.Time.In(time.Local).Format(dayAndTime)
		}
		recipients := e.Recipients
		if len(recipients) > 3 {
			recipients = recipients[:3]
		}
		to := strings.Join(recipients, " ")
		if more := e.RecipientCount - len(recipients); more > 0 {
			to += fmt.Sprintf(" +%d", more)
		}
		row := []cell{
			plainCell(at), p.cell(senderOf(e)), p.cell(strings.TrimSpace(to)), p.cell(strings.Join(e.Hosts, " ")),
			p.cell(strings.Join(e.LooksLike, " ")), plainCell(happened(e)), plainCell(e.QueueID),
		}
		if several {
			row = append(row, plainCell(e.Node))
		}
		rows = append(rows, row)
	}
	return rows
}

// happened says what became of a message, and whether its content was edited, for example by
// removing a link.
func happened(e *eventlog.Event) string {
	if e.Edited {
		return e.WhatHappened() + ", edited"
	}
	return e.WhatHappened()
}

// senderOf returns the sender, or "<>" for a bounce, or "" if the log has no addresses.
func senderOf(e *eventlog.Event) string {
	if e.Sender == "" && len(e.Recipients) > 0 {
		return "<>"
	}
	return e.Sender
}

// countRows lists names with their counts, the most frequent first.
func countRows(p paint, title string, now, last map[string]int) [][]cell {
	rows := [][]cell{headRow(p, title, "now", "before")}
	all := maps.Clone(last)
	maps.Copy(all, now)
	names := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(now[b], now[a]), cmp.Compare(last[b], last[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		if i == maxNames {
			rows = append(rows, []cell{plainCell(fmt.Sprintf("and %d more", len(names)-i))})
			break
		}
		rows = append(rows, []cell{plainCell(name), numberCell(now[name], "before"), numberCell(last[name], "before")})
	}
	return rows
}
