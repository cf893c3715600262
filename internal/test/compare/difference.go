package main

import (
	"encoding/json"
	"slices"
)

// A difference is a job whose outcome is another with the present build.
type difference struct {
	job      job
	input    []byte
	old, new outcome
	changes  []change
	scanned  *comparison // of the inputs, once a predicate asked for it
}

// A comparison is what both builds make of the inputs as objects.
type comparison struct {
	old, new outcome
	changes  []change
	err      error // of a run, or errUnexplained
}

// Where a change is.
const (
	whereExit   = "exit"
	whereStderr = "stderr"
	whereObject = "object" // a JSON object of standard output
	whereOrder  = "order"  // of the objects
	whereLine   = "line"   // lines of standard output, for messages after decoding
)

// A change is one thing that differs in an outcome.
type change struct {
	where          string
	old, new       string
	oldObj, newObj object   // of whereObject; nil: there is none
	fields         []string // that differ
	allowed        string   // id of the entry that allows it; empty: none does
}

// An object is a line of JSON.
type object map[string]any

func (o object) text(field string) string { s, _ := o[field].(string); return s }

func (o object) number(field string) int { n, _ := o[field].(float64); return int(n) }

func asJSON(o object) string {
	if o == nil {
		return ""
	}
	line, _ := json.Marshal(o)
	return string(line)
}

func findings(o object) []object {
	list, _ := o["findings"].([]any)
	var all []object
	for _, f := range list {
		if m, ok := f.(map[string]any); ok {
			all = append(all, m)
		}
	}
	return all
}

// reasonOf returns the code and the reason of an object about a message.
func reasonOf(o object) string {
	all := findings(o)
	switch {
	case len(all) == 0:
		return ""
	case keepsDetail(all[0]):
		return all[0].text("code") + " " + all[0].text("detail")
	}
	return all[0].text("code")
}

// keepsDetail reports whether the detail of a finding is a reason code, which
// other programs read, and not wording.
func keepsDetail(f object) bool {
	return f.text("code") == "partial" || f.text("code") == "unreadable"
}

// detailWording replaces each detail that is wording.
const detailWording = "…"

// explained reports whether every change is allowed.
func (d *difference) explained() bool {
	return !slices.ContainsFunc(d.changes, func(c change) bool { return c.allowed == "" })
}

// onlyFields reports whether no other fields of an object differ.
func onlyFields(c *change, fields ...string) bool {
	return c.where == whereObject && !slices.ContainsFunc(c.fields, func(f string) bool { return !slices.Contains(fields, f) })
}
