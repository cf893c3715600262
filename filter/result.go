package filter

import (
	"slices"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// A Result says what to do with a message.
type Result struct {
	Plan        mime.Plan         // the edits of the body; empty when the body stays
	HeaderEdits []mime.HeaderEdit // edits of the header that Plan does not have: tags, removed fields, signatures
	// Edited is the verified message with Plan and HeaderEdits applied; nil when both
	// are empty, or the message was truncated. Its body begins at BodyStart.
	Edited    []byte
	BodyStart int
	Action    rule.Action   // what becomes of the message
	Report    report.Report // what was found and done
}

// EditsHeader reports whether HeaderEdits has an edit that is no signature.
func (r *Result) EditsHeader() bool { return slices.ContainsFunc(r.HeaderEdits, isNotSignature) }

// Unsigned returns the header edits that are still right if nothing else of the result is applied:
// added fields, but no signatures.
func (r *Result) Unsigned() []mime.HeaderEdit {
	var edits []mime.HeaderEdit
	for _, e := range r.HeaderEdits {
		if (e.Op == mime.OpAdd || e.Op == mime.OpInsert) && isNotSignature(e) {
			edits = append(edits, e)
		}
	}
	return edits
}

// signatureField is the name of the field with a DKIM signature.
const signatureField = "DKIM-Signature"

func isNotSignature(e mime.HeaderEdit) bool { return e.Name != signatureField }

// Message returns the message to send on: the edited one, or raw if nothing is edited. It does not
// consider the action.
func (r *Result) Message(raw []byte) []byte {
	if r.Edited != nil {
		return r.Edited
	}
	return raw
}
