package config

import (
	"fmt"
	"strings"

	"github.com/linkmilter/linkmilter/filter/rule"
)

// words describes for which messages a rule decides, and what it does. service may forbid edits
// that its rules ask for.
func words(r rule.Rule, service *Service) string {
	r.Edit = max(r.Edit, service.Edit)
	r.DryRun = r.DryRun || service.DryRun
	return "for " + forWhom(&r.When) + ": " + does(&r)
}

// forWhom describes the messages that a rule matches.
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
	if len(w.Findings) > 0 {
		add("findings of %s", strings.ReplaceAll(joined(w.Findings), " or ", " and "))
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

// does describes what a rule does with its messages.
func does(r *rule.Rule) string {
	parts := append(edits(r), acts(r)...)
	if len(parts) == 0 {
		parts = append(parts, "links are judged, and nothing changes")
	}
	for _, list := range []struct {
		what  string
		count int
	}{{"protected", len(r.Protected)}, {"allowed", len(r.Allow)}, {"blocked", len(r.Block)}} {
		if list.count > 0 {
			parts = append(parts, fmt.Sprintf("%d hosts or lists of its own %s", list.count, list.what))
		}
	}
	if r.Trusted {
		parts = append(parts, "trusted")
	}
	if r.DryRun {
		parts = append(parts, "on trial: only the log says so")
	}
	return strings.Join(parts, "; ")
}

// edits describes which messages a rule edits, and how.
func edits(r *rule.Rule) (parts []string) {
	if r.Edit == rule.EditNever {
		return nil
	}
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
	if r.ReadableHTML {
		parts = append(parts, "links in HTML parts become readable")
	}
	if r.RemoveUnseen {
		parts = append(parts, "characters that people do not see are removed")
	}
	if r.Edit == rule.EditFlagged {
		parts = append(parts, "only messages with a flagged link are edited")
		if r.Flagged == rule.FlaggedUnlink {
			parts = append(parts, "flagged links are removed")
		}
	}
	switch {
	case len(parts) == 0:
		return nil
	case r.Flagged == rule.FlaggedLink:
		parts = append(parts, "flagged links stay links")
	case r.Flagged == rule.FlaggedDefang:
		parts = append(parts, "flagged links are defanged")
	}
	if r.FlaggedSender {
		parts = append(parts, "and all links where the sender is flagged")
	}
	if r.EditSigned {
		parts = append(parts, "signed messages are edited, too")
	}
	if r.KeepLists {
		parts = append(parts, "mail of lists and programs is not edited")
	}
	if r.IfNotEditable != rule.ActionNone {
		parts = append(parts, fmt.Sprintf("%s where an edit is not possible", r.IfNotEditable))
	}
	return parts
}

// acts describes which actions a rule takes, and why.
func acts(r *rule.Rule) (parts []string) {
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
	if r.On.Partial != rule.ActionNone {
		parts = append(parts, fmt.Sprintf("%s where not all was read", r.On.Partial))
	}
	if r.On.Unreadable != rule.ActionNone {
		parts = append(parts, fmt.Sprintf("%s where nothing was read", r.On.Unreadable))
	}
	if r.SubjectTag != "" {
		parts = append(parts, fmt.Sprintf("with an action %s before the subject", r.SubjectTag))
	}
	return parts
}
