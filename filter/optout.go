package filter

import (
	"fmt"
	"strings"
)

// defaultOptOut is the field with which senders ask to leave a message alone.
const defaultOptOut = "X-Linkmilter-Opt-Out"

// readOptOut looks for the field with which one's own users ask to leave a
// message alone (UASG 2.2). From others it means nothing.
func (w *work) readOptOut() {
	if !w.trusted() {
		return
	}
	for i, f := range w.message.Root.Fields {
		if f.Named(w.filter.optOut) {
			w.optOut = append(w.optOut, i)
			w.report.OptedOut = w.report.OptedOut || !strings.EqualFold(w.message.FieldValue(f), "no")
		}
	}
}

// validateOptOut refuses fields whose removal would change what a message is.
func validateOptOut(name string) error {
	for _, prefix := range []string{"Content-", "Resent-", "List-", "ARC-"} {
		if len(name) >= len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
			return fmt.Errorf("opt-out field %s: a field of its own meaning", name)
		}
	}
	for _, known := range []string{
		"From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Subject", "Date", "Message-ID", "In-Reply-To", "References",
		"MIME-Version", "Received", "Return-Path", "DKIM-Signature", "Authentication-Results", FieldSummary, FieldFinding,
	} {
		if strings.EqualFold(name, known) {
			return fmt.Errorf("opt-out field %s: a field of its own meaning", name)
		}
	}
	if !isFieldName(name) {
		return fmt.Errorf("opt-out field %q: not a field name", name)
	}
	return nil
}
