package filter

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// verdict is the decision about a message, with the findings that led to it.
type verdict struct {
	findings []policy.Finding // about the message itself
	action   rule.Action
	because  string // code of a finding, or the reason of an edit not done
}

// decide judges the message as a whole and chooses the strictest action that the rule asks for. The
// worst finding, texts that were not read and a missing edit may each ask for an action. findings are
// those about the message.
func decide(r *reading, u *rule.Rule, e *edit, findings []policy.Finding) verdict {
	v := verdict{findings: findings}
	worst := report.Worst(v.findings, r.links)
	raise := func(a rule.Action, because string) {
		if a > v.action {
			v.action, v.because = a, because
		}
	}
	raise(u.On.Severity(worst.Severity), string(worst.Code))
	action, code := outcomeAction(&u.On, r.outcome)
	raise(action, string(code))
	if reason := notEditable(r, u, e); reason != "" {
		raise(u.IfNotEditable, string(reason))
	}
	return v
}

// outcomeAction returns the action for a message that was read as far as o says, and the code of the
// finding for that outcome.
func outcomeAction(on *rule.On, o report.Outcome) (rule.Action, policy.Code) {
	switch o {
	case report.OutcomeComplete:
		return rule.ActionNone, ""
	case report.OutcomePartial:
		return on.Partial, report.CodePartial
	}
	return on.Unreadable, report.CodeUnreadable
}

// messageFindings returns the findings about the message itself.
func messageFindings(r *reading, severities severities) []policy.Finding {
	var findings []policy.Finding
	note := func(v variant, facts ...any) {
		if finding := severities.finding(v, facts...); finding.Severity > policy.SeverityNone {
			findings = append(findings, finding)
		}
	}
	if _, code := outcomeAction(&rule.On{}, r.outcome); code != "" {
		note(readingVariant(code, r.reasons...), joinReasons(r.reasons))
	}
	if r.differ[0] != "" {
		note(differingForm, joinReasons(r.slips), r.differ[0], r.differ[1])
	} else if len(r.slips) > 0 {
		note(malformedForm, joinReasons(r.slips))
	}
	if len(r.kinds) > 0 {
		note(opaqueContent, strings.Join(r.kinds, ", "))
	}
	if len(r.unseen) > 0 {
		v, where, n := unseenVariant(r)
		note(v, where, n)
	}
	if host, from := unaligned(r); host != "" {
		// A detail must not change when the message is filtered again, so it has no number.
		note(unalignedLink, host, from)
	}
	for i := range r.claims {
		f := severities.claimFinding(&r.claims[i])
		if f.Severity > policy.SeverityNone {
			findings = append(findings, f)
		}
	}
	return findings
}

// joinReasons returns reasons as a list for people.
func joinReasons(reasons []report.Reason) string {
	codes := make([]string, len(reasons))
	for i, reason := range reasons {
		codes[i] = string(reason)
	}
	return strings.Join(codes, ", ")
}

// unaligned returns the host of the first link whose registrable domain is not that of From. It returns
// "" if there is none, or if no trusted server authenticated From.
func unaligned(r *reading) (host, from string) {
	if len(r.results) == 0 {
		return "", ""
	}
	from = hostname.Canonical(fromDomain(r))
	if from == "" || !mailauth.AuthenticatedFrom(r.results, from) {
		return "", ""
	}
	own := hostname.Registrable(from)
	for i := range r.links {
		l := &r.links[i]
		if l.Place == report.PlaceHeader || l.Place == report.PlaceEnvelope || l.Link.Kind == engine.KindEmail {
			continue
		}
		if host := l.Link.ASCIIHost(); host != "" && hostname.Registrable(host) != own {
			return host, from
		}
	}
	return "", ""
}

// notEditable returns why an edit was not made that the rule asks for and the message needs, or "" if
// no edit is missing. Among plain texts only the first counts: no other can be the text of the message.
func notEditable(r *reading, u *rule.Rule, e *edit) report.Reason {
	if !asksForEdit(u) || e.planned() || e.optedOut {
		return ""
	}
	if len(r.parts) == 0 || e.reason == reasonFlaggedStays || e.reason == reasonNotDefanged {
		return failure(e.reason) // the reason concerns the whole message
	}
	return firstFailure(r, u, e.notDone)
}
