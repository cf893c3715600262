package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/record"
)

// trialCounts counts trials by rule, by what would have happened, and why.
type trialCounts struct {
	messages int
	kinds    map[trialKind]*trialCount
}

type trialKind struct{ rule, happened, why string }

type trialCount struct {
	messages int
	examples []*trial // the first
}

// maxExamples is how many messages are named for each kind.
const maxExamples = 3

func newTrialCounts() *trialCounts { return &trialCounts{kinds: make(map[trialKind]*trialCount)} }

func (c *trialCounts) add(t *trial) {
	c.messages++
	kind := trialKind{t.report.Rule, t.happened(), t.why()}
	count := c.kinds[kind]
	if count == nil {
		count = new(trialCount)
		c.kinds[kind] = count
	}
	count.messages++
	if len(count.examples) < maxExamples {
		count.examples = append(count.examples, t)
	}
}

// sorted returns the kinds by rule, the most frequent first.
func (c *trialCounts) sorted() []trialKind {
	return slices.SortedFunc(maps.Keys(c.kinds), func(a, b trialKind) int {
		return cmp.Or(
			cmp.Compare(a.rule, b.rule),
			cmp.Compare(c.kinds[b].messages, c.kinds[a].messages),
			cmp.Compare(a.happened, b.happened), cmp.Compare(a.why, b.why),
		)
	})
}

// text returns the counts for people.
func (c *trialCounts) text(p paint) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s tried; nothing was changed\n\n", counted(c.messages, "message"))
	rows := [][]cell{headRow(p, "rule", "messages", "would be", "because of", "for example")}
	for _, kind := range c.sorted() {
		count := c.kinds[kind]
		for i, t := range count.examples {
			row := []cell{plainCell(""), plainCell(""), plainCell(""), plainCell(""), exampleOf(t, p)}
			if i == 0 {
				row = []cell{
					plainCell(kind.rule), numberCell(count.messages, "messages"), plainCell(kind.happened),
					plainCell(kind.why), exampleOf(t, p),
				}
			}
			rows = append(rows, row)
		}
	}
	b.WriteString(columns("  ", rows))
	return b.String()
}

// exampleOf names a message by its file and subject.
func exampleOf(t *trial, p paint) cell {
	file := p.cell(t.file)
	if t.report.Header.Subject == "" {
		return file
	}
	subject := p.cell(shortText(t.report.Header.Subject, 40))
	return cell{file.plain + "  " + subject.plain, file.painted + "  " + subject.painted}
}

// trialRecord is a trial in JSON.
type trialRecord struct {
	File      string `json:"file"`
	MessageID string `json:"message_id"`
	From      string `json:"from"`
	Subject   string `json:"subject"`
	record.Decision
}

func newTrialRecord(t *trial) trialRecord {
	r := &t.report
	return trialRecord{t.file, r.Header.MessageID, r.Header.From, r.Header.Subject, record.DecisionOf(r)}
}

// trialPage is the report in HTML.
type trialPage struct {
	Made        string // when
	Messages    string
	Interrupted bool
	Failed      []string // errors
	Kinds       []trialPageKind
}

type trialPageKind struct {
	Rule, Messages, Happened, Why string
	Examples                      []trialExample
}

type trialExample struct {
	File, Subject string
	Diff          []diffLine
}

// page returns the report, with what could not be read.
func (c *trialCounts) page(failed []error, interrupted bool) trialPage {
	page := trialPage{Made: madeAt(time.Now()), Messages: counted(c.messages, "message"), Interrupted: interrupted, Failed: errorLines(failed)}
	for _, kind := range c.sorted() {
		count := c.kinds[kind]
		k := trialPageKind{kind.rule, printable.Number(count.messages), kind.happened, kind.why, nil}
		for _, t := range count.examples {
			k.Examples = append(k.Examples, trialExample{printable.Text(t.file), printable.Text(shortText(t.report.Header.Subject, 80)), diffLines(t.diff)})
		}
		page.Kinds = append(page.Kinds, k)
	}
	return page
}
