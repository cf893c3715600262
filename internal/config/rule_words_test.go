package config

import (
	"reflect"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter/rule"
)

// TestRuleWordsNameEachChoice: for each value of each key, the sentences about a rule differ.
func TestRuleWordsNameEachChoice(t *testing.T) {
	own := rule.Rule{Name: "own", HTML: rule.HTMLNeeded}
	plain := rule.Rule{Name: "own"}
	for name, c := range map[string]struct {
		rule   rule.Rule
		change func(*rule.Rule)
	}{
		"Trusted":       {own, func(r *rule.Rule) { r.Trusted = true }},
		"Edit":          {own, func(r *rule.Rule) { r.Edit = rule.EditFlagged }},
		"HTML":          {plain, func(r *rule.Rule) { r.HTML = rule.HTMLAlways }},
		"Plain":         {plain, func(r *rule.Rule) { r.Plain = rule.PlainReadable }},
		"ReadableHTML":  {plain, func(r *rule.Rule) { r.ReadableHTML = true }},
		"Flagged":       {own, func(r *rule.Rule) { r.Flagged = rule.FlaggedDefang }},
		"FlaggedSender": {own, func(r *rule.Rule) { r.FlaggedSender = true }},
		"EditSigned":    {own, func(r *rule.Rule) { r.EditSigned = true }},
		"RemoveUnseen":  {plain, func(r *rule.Rule) { r.RemoveUnseen = true }},
		"KeepLists":     {own, func(r *rule.Rule) { r.KeepLists = true }},
		"Protected":     {plain, func(r *rule.Rule) { r.Protected = []string{"a.example"} }},
		"Allow":         {plain, func(r *rule.Rule) { r.Allow = []string{"a.example"} }},
		"Block":         {plain, func(r *rule.Rule) { r.Block = []string{"a.example"} }},
		"IfNotEditable": {own, func(r *rule.Rule) { r.IfNotEditable = rule.ActionReject }},
		"SubjectTag":    {plain, func(r *rule.Rule) { r.SubjectTag = "[x]" }},
		"DryRun":        {plain, func(r *rule.Rule) { r.DryRun = true }},

		"On.Info":       {plain, func(r *rule.Rule) { r.On.Info = rule.ActionTag }},
		"On.Low":        {plain, func(r *rule.Rule) { r.On.Low = rule.ActionTag }},
		"On.Medium":     {plain, func(r *rule.Rule) { r.On.Medium = rule.ActionTag }},
		"On.High":       {plain, func(r *rule.Rule) { r.On.High = rule.ActionTag }},
		"On.Unreadable": {plain, func(r *rule.Rule) { r.On.Unreadable = rule.ActionReject }},
		"On.Partial":    {plain, func(r *rule.Rule) { r.On.Partial = rule.ActionReject }},
	} {
		changed := c.rule
		if c.change(&changed); does(&changed) == does(&c.rule) {
			t.Errorf("%s: %q says nothing of it", name, does(&changed))
		}
	}
	var fields []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[rule.Rule]()) {
		fields = append(fields, field.Name)
	}
	// A new field needs a line above, or a reason to be here.
	want := "Name When Trusted SignRelayed Edit HTML Plain NeutralOnly ReadableHTML Flagged FlaggedSender EditSigned RemoveUnseen KeepLists Protected Allow Block IfNotEditable On SubjectTag DryRun"
	if got := strings.Join(fields, " "); got != want {
		t.Errorf("the fields of a rule are %s", got)
	}
}

// TestRuleWordsOfTheService: if the service limits a rule, the sentences say what the service does.
func TestRuleWordsOfTheService(t *testing.T) {
	words := func(change func(*File)) string {
		file := Default()
		change(&file)
		var all []string
		for _, r := range file.RulesInForce() {
			all = append(all, r.Name+": "+r.Words)
		}
		return strings.Join(all, "\n")
	}
	if got := words(func(*File) {}); !strings.Contains(got, "HTML part") || strings.Count(got, "others: ") != 1 {
		t.Errorf("built in:\n%s", got)
	}
	if got := words(func(f *File) { f.Service.Edit = rule.EditNever }); strings.Contains(got, "HTML part") {
		t.Errorf("without edits:\n%s", got)
	}
	if got := words(func(f *File) { f.Service.DryRun = true }); strings.Count(got, "on trial") != 3 {
		t.Errorf("on trial:\n%s", got)
	}
	own := func(when rule.When) string {
		return words(func(f *File) { f.Rules = []rule.Rule{{Name: "own", When: when}} })
	}
	if got := own(rule.When{Authenticated: new(true)}); !strings.Contains(got, "\nothers: for all messages: tag") {
		t.Errorf("one rule of the own:\n%s", got)
	}
	if got := own(rule.When{}); strings.Contains(got, "others") {
		t.Errorf("one rule for all:\n%s", got)
	}
}
