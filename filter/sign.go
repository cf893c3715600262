package filter

import (
	"errors"
	"slices"
	"strings"

	"github.com/emersion/go-message/mail"

	"github.com/linkmilter/linkmilter/mailauth"
	"github.com/linkmilter/linkmilter/mime"
)

// A Signer signs messages with DKIM; [mailauth.Signer] is one. It may be used by
// several goroutines at once.
type Signer interface {
	// Has reports whether there is a key for mail from a domain.
	Has(domain string) bool
	// Sign returns the values of the DKIM-Signature fields for a message from
	// domain, folded by CRLF, which are inserted on top as they are. An error that
	// wraps [mailauth.ErrNotSevenBit] says that mail servers may rewrite the message.
	Sign(domain string, message []byte) ([]string, error)
	// Signs reports whether header fields of that name are signed.
	Signs(name string) bool
	// Relaxed reports whether a signature bears other white space in the header.
	Relaxed() bool
}

// sign signs a message as it would go on, with the keys for the domain of its
// From. Where it must be signed and cannot be, it returns the reason: then an
// edit must not go on.
//
// Only mail of one's own users is signed: anybody may write one's domain into
// From.
func (w *work) sign(result Result) (Result, Reason) {
	edited := !result.Plan.Empty()
	w.report.Signed, w.report.NotSigned = "", ""
	if w.filter.signer == nil || !w.trusted() || w.report.Action >= ActionTempFail {
		return result, ""
	}
	domain, reason := w.signingDomain()
	switch {
	case reason != "":
		w.report.NotSigned = reason
		return result, ""
	case !edited && w.filter.signs == SignEdited:
		return result, ""
	case !edited && w.signedBefore(domain):
		w.report.NotSigned = ReasonDKIM
		return result, ""
	}
	signed, reason := w.signedAs(domain, result)
	if w.report.NotSigned = reason; reason != "" {
		return result, reason
	}
	w.report.Signed = domain
	return signed, ""
}

// toSign reports whether the message is to be signed if it is edited.
func (w *work) toSign() bool {
	if w.filter.signer == nil || !w.trusted() {
		return false
	}
	_, reason := w.signingDomain()
	return reason == ""
}

// signingDomain returns the domain of one's own user for which a message is signed,
// or the reason why it is not.
func (w *work) signingDomain() (string, Reason) {
	domain := w.fromDomain()
	switch {
	case domain == "" || !w.filter.signer.Has(domain):
		return "", ReasonNoKey
	case !w.env.Authenticated && !w.rule.SignRelayed && w.hasField("Received"):
		return "", ReasonRelayed
	}
	return domain, ""
}

// signedAs returns the result with the signatures of a domain on top, or the
// reason why there are none.
func (w *work) signedAs(domain string, result Result) (Result, Reason) {
	switch {
	case w.cut || w.env.Truncated:
		return result, ReasonMessageTooLarge
	case w.ctx.Err() != nil:
		return result, ReasonDeadline
	case w.env.Rewrites && w.rewrittenLater():
		return result, ReasonRewritten
	}
	values, err := w.filter.signer.Sign(domain, result.Message(w.message.Raw))
	switch {
	case errors.Is(err, mailauth.ErrNotSevenBit):
		return result, ReasonNotSevenBit
	case err != nil || len(values) == 0:
		return result, ReasonNotSigned
	}
	edits := slices.Clone(result.HeaderEdits)
	for _, value := range values {
		edits = append(edits, mime.HeaderEdit{Op: mime.OpInsert, Name: mailauth.FieldSignature, Value: value, Folded: true})
	}
	if len(result.Plan.Header)+len(edits) > MaxHeaderEdits {
		return result, ReasonHeaderEdits
	}
	edited, bodyStart, err := w.applied(result.Plan, edits)
	if err != nil {
		return result, reasonOf(err, mime.ReasonInvalidPlan)
	}
	if !result.Plan.Empty() && len(edited) > w.filter.limits.Result {
		return result, ReasonResult
	}
	result.HeaderEdits, result.Edited, result.BodyStart = edits, edited, bodyStart
	return result, ""
}

// fromDomain returns the domain of the From field, as it stands there; "" where
// there is not exactly one.
func (w *work) fromDomain() string {
	values := w.message.Values(w.message.Root, "From")
	if len(values) != 1 || len(values[0]) > maxAddresses {
		return ""
	}
	list, err := mail.ParseAddressList(values[0])
	if err != nil {
		return ""
	}
	domain := ""
	for _, a := range list {
		of := strings.ToLower(a.Address[strings.LastIndexByte(a.Address, '@')+1:])
		if domain != "" && of != domain {
			return ""
		}
		domain = of
	}
	return domain
}

// signatures are those that the message came with.
func (w *work) signatures() *mailauth.Signatures {
	if w.found == nil {
		found := mailauth.FindSignatures(func(yield func(name, value string) bool) {
			for _, f := range w.message.Root.Fields {
				if !yield(f.Name, string(w.message.Raw[f.ValueStart:f.End])) {
					return
				}
			}
		})
		w.found = &found
	}
	return w.found
}

// signedBefore reports whether the message came with a signature of the domain
// that it is from, or of one above or below it.
func (w *work) signedBefore(domain string) bool {
	return w.hasField(mailauth.FieldSignature) && w.signatures().By(domain)
}

// covered reports whether a signature that the message came with covers the field
// called name, or forbids to add one. Signatures that nobody can read cover
// nothing: they would let anybody keep our fields out.
func (w *work) covered(name string) bool { return w.signedTimes(name) > 0 }

// signedTimes returns how often the signature names a field that does so most often.
func (w *work) signedTimes(name string) int {
	if !w.hasField(mailauth.FieldSignature) && !w.hasPrefix("ARC-") {
		return 0
	}
	name = strings.ToLower(name)
	most := 0
	for _, s := range w.signatures().List {
		times := 0
		for _, h := range s.Headers {
			if h == name {
				times++
			}
		}
		most = max(most, times)
	}
	return most
}
