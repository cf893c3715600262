package filter

import (
	"bytes"
	"context"
	"slices"

	"github.com/linkmilter/linkmilter/mime"
)

// applied is a message with its edits carried out and verified.
type applied struct {
	edits     []mime.HeaderEdit // of the header, beside those of the body
	edited    []byte            // the whole message as far as it is known; nil without edits
	bodyStart int
}

// apply carries out the edits of body and header and verifies the result once. The
// reason says why the message stays as it is.
func apply(ctx context.Context, r *reading, body mime.Plan, edits []mime.HeaderEdit, limits *Limits) (applied, Reason) {
	if body.Empty() && len(edits) == 0 {
		return applied{}, ""
	}
	if !body.Empty() && ctx.Err() != nil {
		return applied{}, ReasonDeadline // edits of the header alone take little time
	}
	if r.truncated && r.message.Root.BodyStart == len(r.message.Raw) {
		return applied{}, ReasonMessageTooLarge // the header need not end here
	}
	plan := body
	plan.Header = slices.Concat(body.Header, edits)
	edited, bodyStart, err := r.message.Apply(plan)
	switch {
	case err != nil:
		return applied{}, reasonOf(err, mime.ReasonInvalidPlan)
	case !body.Empty() && len(edited) > limits.Result:
		return applied{}, ReasonResult
	case !body.Empty() && len(edited)-len(r.message.Raw) > limits.Growth:
		return applied{}, ReasonGrowth
	}
	err = r.message.Verify(plan, edited)
	switch {
	case !body.Empty() && ctx.Err() != nil:
		return applied{}, ReasonDeadline
	case err != nil:
		return applied{}, reasonOf(err, mime.ReasonVerify)
	}
	return applied{edits, edited, bodyStart}, ""
}

// on returns the applied edits with fields that are inserted on top of all others.
// The rest of the message keeps every byte.
func (a applied) on(r *reading, body mime.Plan, top []mime.HeaderEdit) (applied, error) {
	edits := slices.Concat(a.edits, top)
	plan := body
	plan.Header = slices.Concat(body.Header, edits)
	edited, bodyStart, err := r.message.Apply(plan)
	if err != nil {
		return a, err
	}
	before := a.message(r)
	if !bytes.HasSuffix(edited, before) {
		if err := r.message.Verify(plan, edited); err != nil {
			return a, err
		}
	}
	return applied{edits, edited, bodyStart}, nil
}

// message returns the message as it goes on.
func (a *applied) message(r *reading) []byte {
	if a.edited != nil {
		return a.edited
	}
	return r.message.Raw
}
