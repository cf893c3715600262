package header

import (
	"fmt"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/mime"
)

// optOutFields returns the indices of the fields called name, and whether one of them
// asks to leave the message alone (UASG 2.2): each value but "no" does.
func optOutFields(m *mime.Message, name string) (fields []int, asked bool) {
	for i, f := range m.Root.Fields {
		if ascii.EqualFold(f.Name, name) {
			fields = append(fields, i)
			asked = asked || !strings.EqualFold(m.FieldValue(f), "no")
		}
	}
	return fields, asked
}

// ValidateOptOut refuses a field whose removal would change what a message is.
func ValidateOptOut(name string) error {
	for _, prefix := range []string{"Content-", "Resent-", "List-", "ARC-"} {
		if ascii.HasPrefixFold(name, prefix) {
			return fmt.Errorf("opt-out field %q: has another meaning (want one such as X-Opt-Out)", name)
		}
	}
	for _, known := range []string{
		"From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Subject", "Date", "Message-ID", "In-Reply-To", "References",
		"MIME-Version", "Received", "Return-Path", "DKIM-Signature", "Authentication-Results", fieldSummary, fieldFinding,
	} {
		if strings.EqualFold(name, known) {
			return fmt.Errorf("opt-out field %q: has another meaning (want one such as X-Opt-Out)", name)
		}
	}
	if name == "" || strings.IndexFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || r == ':' }) >= 0 {
		return fmt.Errorf("opt-out field %q: not a field name", name)
	}
	return nil
}
