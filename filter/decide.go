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

// verdict says what becomes of a message by its findings.
type verdict struct {
	findings []policy.Finding // about the message itself
	action   rule.Action
	because  string // code of a finding, or the reason of an edit not done
}

// decide judges the message as a whole and chooses the action: the strictest that the rule asks for
// because of the worst finding, of texts that were not read, and of an edit not done. If the
// message was not read in full, the stricter of the actions for the severity and for the outcome
// holds. kept is the number of fields with our id that stay.
func decide(r *reading, u *rule.Rule, e *edit, severities severities, kept int) verdict {
	v := verdict{findings: messageFindings(r, u, severities, kept)}
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

// outcomeAction returns the action for a message of which so much was read, and the
// code of the finding behind it.
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
func messageFindings(r *reading, u *rule.Rule, severities severities, kept int) []policy.Finding {
	var findings []policy.Finding
	note := func(v variant, facts ...any) {
		if finding := severities.finding(v, facts...); finding.Severity > policy.SeverityNone {
			findings = append(findings, finding)
		}
	}
	if _, code := outcomeAction(&u.On, r.outcome); code != "" {
		note(readingVariant(code, r.reasons...), joinReasons(r.reasons))
	}
	if len(r.slips) > 0 {
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
		// Nothing that changes when the message is filtered again, such as a number.
		note(unalignedLink, host, from)
	}
	if kept > 0 {
		note(forgedFields, kept)
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

// unaligned returns the host of a link to another registrable domain than that of
// From, where trusted servers authenticated From; else "".
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

// notEditable returns the reason why an edit was not made that the rule asks for and
// the message needs; "" where no edit is missing. The first plain text gives the reason:
// no other can be the text of the message.
func notEditable(r *reading, u *rule.Rule, e *edit) report.Reason {
	if !asksForEdit(u) || e.planned() || e.optedOut {
		return ""
	}
	if len(r.parts) == 0 || e.reason == reasonFlaggedStays || e.reason == reasonNotDefanged {
		return failure(e.reason) // the message was not read, or is not edited because of any part
	}
	return firstFailure(r, u, e.notDone)
}
