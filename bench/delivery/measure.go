package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	linkmime "github.com/linkmilter/linkmilter/mime"
)

// A pair is what one program says of a message before and after its edit.
type pair struct {
	program, message string
	before, after    scores
}

// The names of the programs.
var programs = []string{"SpamAssassin", "Rspamd", "MailScanner", "Thunderbird"}

// result is what all programs say of the messages.
type result struct {
	messages, edited, alternatives int
	wanted, done                   int // messages that should be edited, and are
	pairs                          []pair
}

// An editor returns a message, which has a name, as linkmilter returns it.
type editor func(name string, raw []byte) ([]byte, error)

// measure edits one in every so many messages, and lets each program score it before and after.
func measure(ctx context.Context, on host, messages []message, edit editor, every int) (*result, error) {
	r := &result{}
	var names []string
	var raws [][]byte // before and after in turns
	for i, m := range messages {
		if i%every != 0 {
			continue
		}
		r.messages++
		edited, err := edit(m.name, m.raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		if m.wants {
			r.wanted++
		}
		if bytes.Equal(edited, m.raw) {
			continue
		}
		r.edited++
		if m.wants {
			r.done++
		}
		if bytes.Contains(edited, []byte("multipart/alternative")) {
			r.alternatives++
		}
		names, raws = append(names, m.name), append(raws, m.raw, edited)
	}
	all, err := spamassassin(ctx, on, raws)
	if err != nil {
		return nil, err
	}
	server, err := startRspamd(ctx, on)
	if err != nil {
		return nil, err
	}
	defer server.stop()
	scored, err := server.scoreAll(ctx, raws)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		before, after := raws[2*i], raws[2*i+1]
		if p := (pair{programs[1], name, scored[2*i], scored[2*i+1]}); p.costs() {
			// Rspamd guesses languages, so some of its rules fire at random.
			if scored[2*i], err = server.worst(ctx, before); err == nil {
				scored[2*i+1], err = server.worst(ctx, after)
			}
			if err != nil {
				return nil, err
			}
		}
		r.pairs = append(r.pairs, pair{programs[0], name, all[2*i], all[2*i+1]}, pair{programs[1], name, scored[2*i], scored[2*i+1]},
			pair{programs[2], name, warnings(ctx, before, reference.mailscanner), warnings(ctx, after, reference.mailscanner)},
			pair{programs[3], name, warnings(ctx, before, reference.thunderbird), warnings(ctx, after, reference.thunderbird)})
	}
	return r, nil
}

// warnings scores a message 1 if distrusts is true for some link of its HTML, else it returns nil.
func warnings(ctx context.Context, raw []byte, distrusts func(reference) bool) scores {
	m := linkmime.Parse(ctx, raw, linkmime.DefaultLimits())
	for leaf := range m.Leaves() {
		if leaf.MediaType != "text/html" {
			continue
		}
		document, err := m.Text(leaf)
		if err == nil && slices.ContainsFunc(references(document), distrusts) {
			return scores{"PHISHING_WARNING": 1}
		}
	}
	return nil
}

// telling matches rules that must not fire only after the edit, whatever their score.
var telling = regexp.MustCompile(`(?i)SPOOF|PHISH|ALT_DIFF|PARTS_DIFFER|HFILTER_URL|URI_COUNT_ODD|MISMATCH|HOMOGRAPH|OBFUS`)

// The scores that count.
const (
	worstChange = 0.2  // of a message
	counts      = 0.05 // of a rule
)

// newRules returns the rules with a score, and the telling ones, that fire only after
// the edit.
func (p *pair) newRules() []string {
	var rules []string
	for rule, score := range p.after {
		if _, old := p.before[rule]; !old && (score > counts || telling.MatchString(rule)) {
			rules = append(rules, rule)
		}
	}
	slices.Sort(rules)
	return rules
}

// costs reports whether the edit costs something.
func (p *pair) costs() bool {
	return p.after.sum()-p.before.sum() > worstChange || slices.ContainsFunc(p.newRules(), telling.MatchString)
}

// costly returns the names of the messages whose edit costs something.
func (r *result) costly() []string {
	names := make(map[string]bool)
	for _, p := range r.pairs {
		if p.costs() {
			names[p.message] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// print writes the tables.
func (r *result) print(w io.Writer, verbose bool) {
	fmt.Fprintf(w, "%d messages, %d edited, %d of them with an HTML part; the edit of %d costs something\n\n", r.messages, r.edited, r.alternatives, len(r.costly()))
	if r.wanted > 0 {
		fmt.Fprintf(w, "%d of %d messages with an over-escaped link and a sentence edited\n\n", r.done, r.wanted)
	}
	fmt.Fprint(w, "| program | score before, mean | after | worst change | messages that cost something |\n|---|---|---|---|---|\n")
	for _, program := range programs {
		before, after, worst, costs, n := 0.0, 0.0, 0.0, 0, 0
		for _, p := range r.pairs {
			if p.program != program {
				continue
			}
			n++
			before, after = before+p.before.sum(), after+p.after.sum()
			worst = max(worst, p.after.sum()-p.before.sum())
			if p.costs() {
				costs++
			}
		}
		fmt.Fprintf(w, "| %s | %.2f | %.2f | %+.2f | %d |\n", program, before/float64(max(n, 1)), after/float64(max(n, 1)), worst, costs)
	}
	r.printRules(w)
	if verbose {
		for _, p := range r.pairs {
			if p.costs() {
				fmt.Fprintf(w, "%s: %s: %.2f, then %.2f: %s\n", p.message, p.program, p.before.sum(), p.after.sum(), strings.Join(p.newRules(), " "))
			}
		}
	}
}

// printRules writes the rules that fire newly, the most frequent first.
func (r *result) printRules(w io.Writer) {
	count, score := make(map[string]int), make(map[string]float64)
	for _, p := range r.pairs {
		for _, rule := range p.newRules() {
			name := p.program + " | " + rule
			count[name]++
			score[name] = max(score[name], p.after[rule])
		}
	}
	fmt.Fprint(w, "\n| program | rule that fires newly | messages | highest score |\n|---|---|---|---|\n")
	for _, name := range slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) }) {
		fmt.Fprintf(w, "| %s | %d | %.2f |\n", name, count[name], score[name])
	}
}
