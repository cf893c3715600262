package service

import (
	"fmt"
	"strings"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/adminpage"
)

// rulesInWords says what each rule in force does, in order.
func rulesInWords(rules []rule.Rule) []adminpage.Rule {
	var list []adminpage.Rule
	for _, r := range rules {
		list = append(list, adminpage.Rule{Name: r.Name, Words: "for " + forWhom(&r.When) + ": " + does(&r)})
	}
	return list
}

// forWhom names the messages that a rule matches.
func forWhom(w *rule.When) string {
	var parts []string
	add := func(format string, values ...any) { parts = append(parts, fmt.Sprintf(format, values...)) }
	if w.Authenticated != nil {
		add("clients that %s", map[bool]string{true: "logged in", false: "did not log in"}[*w.Authenticated])
	}
	if len(w.Client) > 0 {
		add("clients in %s", joined(w.Client))
	}
	if len(w.Daemon) > 0 {
		add("the daemon %s", joined(w.Daemon))
	}
	if len(w.Sender) > 0 {
		add("the sender %s", joined(w.Sender))
	}
	if len(w.Recipient) > 0 {
		add("recipients that are all in %s", joined(w.Recipient))
	}
	if len(w.AnyRecipient) > 0 {
		add("a recipient in %s", joined(w.AnyRecipient))
	}
	if len(w.Header) > 0 {
		add("%d conditions on header fields", len(w.Header))
	}
	if len(w.Auth) > 0 {
		add("results of authentication: %s", joined(w.Auth))
	}
	if len(parts) == 0 {
		return "all messages"
	}
	return strings.Join(parts, ", and ")
}

func joined[T any](values []T) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, fmt.Sprint(v))
	}
	return strings.Join(texts, " or ")
}

// does says what a rule does with its messages.
func does(r *rule.Rule) string {
	var parts []string
	switch r.HTML {
	case rule.HTMLNeeded:
		parts = append(parts, "plain texts get an HTML part where links read better")
	case rule.HTMLAlways:
		parts = append(parts, "plain texts get an HTML part")
	}
	switch r.Plain {
	case rule.PlainReadable:
		parts = append(parts, "links in plain texts are rewritten")
	case rule.PlainNeeded:
		parts = append(parts, "links in plain texts are rewritten where an HTML part would cost delivery")
	}
	last := rule.ActionNone
	for _, on := range []struct {
		what   string
		action rule.Action
	}{{"info", r.On.Info}, {"low", r.On.Low}, {"medium", r.On.Medium}, {"high", r.On.High}} {
		if on.action > last {
			parts = append(parts, fmt.Sprintf("%s from a finding of %s on", on.action, on.what))
			last = on.action
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "links are judged, and nothing changes")
	}
	if r.DryRun {
		parts = append(parts, "on trial: only the log says so")
	}
	return strings.Join(parts, "; ")
}
