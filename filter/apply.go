package filter

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// applied is a message with its edits carried out and verified.
type applied struct {
	edits     []mime.HeaderEdit // of the header; a plan of the body may have others
	edited    []byte            // the whole message, or its known beginning; nil without edits
	bodyStart int
}

// apply carries out the edits of body and header and verifies the result once. If it applies nothing,
// the reason says why.
func apply(ctx context.Context, r *reading, body mime.Plan, edits []mime.HeaderEdit, limits *Limits) (applied, report.Reason) {
	if body.Empty() && len(edits) == 0 {
		return applied{}, ""
	}
	if !body.Empty() && ctx.Err() != nil {
		return applied{}, reasonDeadline // edits of the header alone take little time
	}
	if r.truncated && len(r.message.Body(r.message.Root)) == 0 {
		return applied{}, reasonMessageTooLarge // the header need not end here
	}
	plan := body
	plan.Header = slices.Concat(body.Header, edits)
	enter(stageApply, r.message.Raw)
	edited, bodyStart, err := r.message.Apply(plan)
	switch {
	case err != nil:
		return applied{}, reasonOf(err)
	case !body.Empty() && len(edited) > limits.Result:
		return applied{}, reasonResult
	case !body.Empty() && len(edited)-len(r.message.Raw)-growth(r.message, edits) > limits.Growth:
		return applied{}, reasonGrowth
	}
	enter(stageVerify, r.message.Raw)
	err = r.message.Verify(plan, edited)
	switch {
	case !body.Empty() && ctx.Err() != nil:
		return applied{}, reasonDeadline
	case err != nil:
		return applied{}, reasonOf(err)
	}
	return applied{edits, edited, bodyStart}, ""
}

// growth returns how many bytes edits of the header add to a message.
func growth(m *mime.Message, edits []mime.HeaderEdit) int {
	const around = len(": \r\n")
	n := 0
	for _, e := range edits {
		if e.Op == mime.OpDelete {
			n -= len(m.RawField(m.Root.Fields[e.Field]))
			continue
		}
		text, _ := e.Text("\r\n") // the plan has refused what cannot be written
		n += len(e.Name) + len(text) + around
	}
	return n
}

// withOnTop returns the applied edits with fields added on top of the header. If the rest of the
// message keeps every byte, it verifies only these fields.
func (a applied) withOnTop(r *reading, body mime.Plan, fields []mime.HeaderEdit) (applied, error) {
	edits := slices.Concat(a.edits, fields)
	plan := body
	plan.Header = slices.Concat(body.Header, edits)
	edited, bodyStart, err := r.message.Apply(plan)
	if err != nil {
		return a, err
	}
	if top, found := bytes.CutSuffix(edited, a.message(r)); !found || !holds(top, fields) {
		if err := r.message.Verify(plan, edited); err != nil {
			return a, err
		}
	}
	return applied{edits, edited, bodyStart}, nil
}

// holds reports whether the top of a header is exactly these fields.
func holds(top []byte, fields []mime.HeaderEdit) bool {
	m := mime.Parse(context.Background(), slices.Concat(top, []byte("\r\n")), mime.Limits{})
	return len(m.Problems) == 0 && slices.EqualFunc(m.Root.Fields, fields, func(f mime.Field, e mime.HeaderEdit) bool {
		_, value, _ := bytes.Cut(m.RawField(f), []byte(":"))
		return f.Name == e.Name && strings.TrimSpace(string(value)) == strings.TrimSpace(e.Value)
	})
}

// message returns the message to send on: the edited one, or the original without edits.
func (a *applied) message(r *reading) []byte {
	if a.edited != nil {
		return a.edited
	}
	return r.message.Raw
}
