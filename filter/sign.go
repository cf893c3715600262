package filter

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/linkmilter/linkmilter/filter/header"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// signing signs messages of trusted senders. It must not sign others: any sender may write the
// operator's domain into From.
type signing struct {
	signer signer // nil: nothing is signed
	edited bool   // only messages with an edited body are signed
}

// signed is a message after signing.
type signed struct {
	applied
	domain string        // the domain for which the message is signed, or ""
	reason report.Reason // why it is not signed although signing is set up
	failed bool          // it should be signed and cannot be: then an edit must not go on
}

// sign signs a message as it would be sent on, with the keys for the domain of its From.
func (s *signing) sign(ctx context.Context, r *reading, u *rule.Rule, body mime.Plan, a applied) signed {
	enter(stageSign, r.message.Raw)
	domain, reason := s.domain(r, u)
	switch {
	case reason != "":
		return signed{applied: a, reason: reason}
	case body.Empty() && s.edited:
		return signed{applied: a}
	case body.Empty() && r.hasField(signatureField) && r.signatures.By(domain):
		return signed{applied: a, reason: reasonDKIM}
	}
	result, reason := s.add(ctx, r, domain, body, a)
	if reason != "" {
		return signed{applied: a, reason: reason, failed: true}
	}
	return signed{applied: result, domain: domain}
}

// domain returns the domain for which a message of a trusted sender is signed, or
// the reason why it is not.
func (s *signing) domain(r *reading, u *rule.Rule) (string, report.Reason) {
	domain := fromDomain(r)
	switch {
	case domain == "" || !s.signer.Has(domain):
		return "", reasonNoKey
	case !r.env.Authenticated && !u.SignRelayed && r.hasField("Received"):
		return "", reasonRelayed
	}
	return domain, ""
}

// add adds the signatures of a domain on top of the header, or returns why it cannot.
func (s *signing) add(ctx context.Context, r *reading, domain string, body mime.Plan, a applied) (applied, report.Reason) {
	switch {
	case r.truncated || r.env.Truncated:
		return a, reasonMessageTooLarge
	case ctx.Err() != nil:
		return a, reasonDeadline
	case r.env.Rewrites && s.rewrittenLater(r):
		return a, reasonRewritten
	}
	values, err := s.signer.Sign(domain, a.message(r))
	switch {
	case errors.Is(err, mailauth.ErrFragile):
		return a, reasonNotSevenBit
	case err != nil || len(values) == 0:
		return a, reasonNotSigned
	}
	fields := make([]mime.HeaderEdit, len(values))
	for i, value := range values {
		fields[i] = mime.HeaderEdit{Op: mime.OpInsert, Name: signatureField, Value: value, Folded: true}
	}
	if len(body.Header)+len(a.edits)+len(fields) > header.MaxEdits {
		return a, reasonHeaderEdits
	}
	result, err := a.withOnTop(r, body, fields)
	if err != nil {
		return a, reasonOf(err)
	}
	return result, ""
}

// rewrittenLater reports whether an MTA that rewrites addresses after this filter would change fields
// that are signed. The signer itself refuses long lines.
func (s *signing) rewrittenLater(r *reading) bool {
	for name, value := range rawFields(r.message) {
		if !s.signer.SurvivesSendmail(name, string(value)) {
			return true
		}
	}
	return false
}

// signedBefore returns the operator's domain that a message is from if it came with a signature of that
// domain, otherwise "". The domain must be the operator's: trusted machines also forward mail of
// strangers.
func (s *signing) signedBefore(r *reading, protected *pattern.Domains) string {
	domain := hostname.Canonical(fromDomain(r))
	if domain == "" || !r.signatures.By(domain) {
		return ""
	}
	if r.env.Authenticated || s.signer != nil && s.signer.Has(domain) {
		return domain
	}
	for parent, found := domain, true; found; _, parent, found = strings.Cut(parent, ".") {
		if protected.Has(parent) {
			return domain
		}
	}
	return ""
}

// converted returns an edit that also gives the other visible texts a 7-bit form, because a server
// that converts them later would break the signature. If that fails, the message is not edited at
// all. A message that needs no other edit gets this one, unless a guard, its sender or the operator
// forbids edits.
func (p *planner) converted(r *reading, e edit) edit {
	switch {
	case e.planned():
		p.convert(r, &e)
	case p.mayConvert(r, &e):
		if only := e; p.convert(r, &only) {
			return only
		}
	}
	return e
}

// mayConvert reports whether a message that needs no other edit may get 7-bit texts.
func (p *planner) mayConvert(r *reading, e *edit) bool {
	return p.signsAll && !e.optedOut && !p.flagged && p.rule.Edit != rule.EditNever &&
		failure(cmp.Or(e.reason, notEdited(e.notDone))) == "" && len(messageGuards(r, p.rule, true)) == 0
}

// convert adds 7-bit forms of texts to an edit. If one of them fails, it drops the edit and
// returns false.
func (p *planner) convert(r *reading, e *edit) bool {
	edited := make(map[string]bool)
	for i, part := range r.parts {
		edited[part.Number] = edited[part.Number] || e.notDone[i] == ""
	}
	e.plan.SevenBit = true
	for leaf := range r.message.Leaves() {
		if edited[leaf.Number] || leaf.MediaType != "text/plain" && leaf.MediaType != "text/html" || !isBody(r.message, leaf) {
			continue
		}
		if err := r.message.RewriteText(&e.plan, leaf, nil); err != nil {
			*e = e.dropped(reasonOf(err))
			return false
		}
	}
	return true
}
