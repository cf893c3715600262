package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// An entry is a behaviour that was changed on purpose: a line of the table.
type entry struct {
	id, description string
	terms           []term
	also            []string // places whose changes follow from those that the terms match
}

type entries []entry

// parseAllowed reads the table: a line "id | description | terms" each. README of
// the terms: the head of the file itself.
func parseAllowed(table string) (entries, error) {
	var all entries
	for number, line := range strings.Split(table, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		e, err := parseEntry(line)
		if err == nil && slices.ContainsFunc(all, func(other entry) bool { return other.id == e.id }) {
			err = fmt.Errorf("id %q: used twice", e.id)
		}
		if err != nil {
			return nil, fmt.Errorf("allowed, line %d: %w", number+1, err)
		}
		all = append(all, e)
	}
	return all, nil
}

func parseEntry(line string) (entry, error) {
	columns := strings.SplitN(line, " | ", 3)
	if len(columns) != 3 {
		return entry{}, fmt.Errorf("line %q: not three columns (want id | description | terms)", line)
	}
	e := entry{id: strings.TrimSpace(columns[0]), description: strings.TrimSpace(columns[1])}
	for _, text := range strings.Fields(columns[2]) {
		if list, ok := strings.CutPrefix(text, "also="); ok {
			e.also = strings.Split(list, ",")
			continue
		}
		t, err := parseTerm(text)
		if err != nil {
			return entry{}, err
		}
		e.terms = append(e.terms, t)
	}
	if len(e.terms) == 0 {
		return entry{}, fmt.Errorf("entry %q: no term (want is=bare-host)", e.id)
	}
	return e, nil
}

// subjects are the texts that a regular expression can look at.
var subjects = map[string]func(*judgement) string{
	"input": func(j *judgement) string { return string(j.input) },
	"old":   func(j *judgement) string { return j.change.old },
	"new":   func(j *judgement) string { return j.change.new },
}

var termSyntax = regexp.MustCompile(`^([a-z]+)(=|~|!~)(.+)$`)

func parseTerm(text string) (term, error) {
	m := termSyntax.FindStringSubmatch(text)
	if m == nil {
		return nil, fmt.Errorf("term %q: not valid (want command=scan or new~suspect)", text)
	}
	name, operator, value := m[1], m[2], m[3]
	if operator != "=" {
		subject, known := subjects[name]
		pattern, err := regexp.Compile(value)
		if !known || err != nil {
			return nil, fmt.Errorf("term %q: not valid (want input~, old~ or new~ and a regular expression)", text)
		}
		return func(j *judgement) bool { return pattern.MatchString(subject(j)) == (operator == "~") }, nil
	}
	list := strings.Split(value, ",")
	switch name {
	case "command":
		return func(j *judgement) bool { return slices.Contains(list, j.job.command) }, nil
	case "where":
		return func(j *judgement) bool { return slices.Contains(list, j.change.where) }, nil
	case "fields":
		return func(j *judgement) bool { return onlyFields(j.change, list...) }, nil
	case "is":
		predicate, known := predicates[value]
		if !known {
			return nil, fmt.Errorf("term %q: unknown predicate", text)
		}
		return predicate, nil
	}
	return nil, fmt.Errorf("term %q: unknown condition", text)
}

// explain marks the changes that the table allows.
func (all entries) explain(r *runner, d *difference) {
	for _, e := range all {
		matched := false
		for i := range d.changes {
			c := &d.changes[i]
			if c.allowed == "" && e.matches(&judgement{r, d, c, func(other *difference) { all.explain(r, other) }}) {
				c.allowed = e.id
				matched = true
			}
		}
		if !matched {
			continue
		}
		for i := range d.changes {
			if c := &d.changes[i]; c.allowed == "" && slices.Contains(e.also, c.where) {
				c.allowed = e.id
			}
		}
	}
}

func (e entry) matches(j *judgement) bool {
	for _, t := range e.terms {
		if !t(j) {
			return false
		}
	}
	return true
}
