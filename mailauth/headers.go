package mailauth

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// DefaultHeaders are the fields that are signed: those of RFC 6376 §5.4.1 that
// programs show or act upon.
var DefaultHeaders = []string{
	"From", "Sender", "Reply-To", "Subject", "Date", "Message-ID", "To", "Cc",
	"MIME-Version", "Content-Type", "Content-Transfer-Encoding", "In-Reply-To", "References",
	"List-Id", "List-Help", "List-Unsubscribe", "List-Unsubscribe-Post", "List-Subscribe",
	"List-Post", "List-Owner", "List-Archive",
}

// DefaultOversign are the fields of which none may be added on the way.
var DefaultOversign = []string{
	"From", "Reply-To", "Subject", "Date", "To", "Cc",
	"MIME-Version", "Content-Type", "Content-Transfer-Encoding",
}

// addedOnTheWay are fields that mail servers add where a message lacks them
// (RFC 6409 §8; NoRecipientAction of Sendmail). Their absence is not signed.
var addedOnTheWay = []string{
	"from", "sender", "date", "message-id", "to",
	"mime-version", "content-type", "content-transfer-encoding",
}

// filledOnTheWay are fields that Sendmail writes anew where they are empty.
var filledOnTheWay = []string{"date", "message-id"}

// changedOnTheWay are fields that servers add, change or remove, so that a
// signature over them would not hold (RFC 6376 §5.4).
var changedOnTheWay = []string{
	"return-path", "received", "delivered-to", "bcc", "resent-bcc", "content-length", "full-name", "authentication-results",
	"dkim-signature", "arc-seal", "arc-message-signature", "arc-authentication-results",
	"x-linkmilter", "x-linkmilter-finding",
}

// Choosing the fields that are signed costs go-msgauth a pass over the header for
// each.
const (
	maxSignedFields = 200    // of a message
	maxFields       = 10_000 // of a message that is signed
)

// A signedField is the name of a field that is signed.
type signedField struct {
	name, lower string
	oversign    bool // once more than the message has it
	absent      bool // even if it has none
}

// signedFields are the fields that are signed.
type signedFields []signedField

// newSignedFields checks the lists of the options and joins them.
func newSignedFields(headers, oversign []string) (signedFields, error) {
	if headers == nil {
		headers = DefaultHeaders
	}
	if oversign == nil {
		oversign = DefaultOversign
	}
	var fields signedFields
	for i, name := range slices.Concat(headers, oversign) {
		lower := strings.ToLower(name)
		switch {
		case name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || r == ':' || r == ';' }):
			return nil, fmt.Errorf("header fields for DKIM: %q is no field name", name)
		case slices.Contains(changedOnTheWay, lower):
			return nil, fmt.Errorf("header fields for DKIM: %s cannot be signed, since mail servers add, change or remove it", name)
		}
		at := slices.IndexFunc(fields, func(f signedField) bool { return f.lower == lower })
		if at < 0 {
			at = len(fields)
			fields = append(fields, signedField{name: name, lower: lower})
		}
		if i >= len(headers) {
			fields[at].oversign = true
			fields[at].absent = !slices.Contains(addedOnTheWay, lower)
		}
	}
	if !slices.ContainsFunc(fields, func(f signedField) bool { return f.lower == "from" }) {
		return nil, fmt.Errorf("header fields for DKIM: From must be one of them (RFC 6376 §5.4)")
	}
	if len(fields) > maxSignedFields/4 {
		return nil, fmt.Errorf("header fields for DKIM: %d are too many; at most %d", len(fields), maxSignedFields/4)
	}
	return fields, nil
}

// keys returns the names for the tag h= of a message's signature, and what
// the message lacks to be complete: the line ends of a header without a body.
//
// A name that stands for a field which is not there may have white space before it:
// neither a signer nor a verifier looks for it. There h= is folded, which
// go-msgauth does not do.
func (fields signedFields) keys(message []byte) (keys []string, end string, err error) {
	counts := make([]int, len(fields))
	filled, all := "", 0
	body, err := eachField(message, func(name, value []byte) {
		all++
		for i := range fields {
			if f := &fields[i]; len(f.name) == len(name) && strings.EqualFold(f.lower, string(name)) {
				if slices.Contains(filledOnTheWay, f.lower) && len(bytes.Trim(value, whiteSpace)) == 0 {
					filled = f.name
				}
				counts[i]++
				return
			}
		}
	})
	if err != nil {
		return nil, "", fmt.Errorf("%w: %w", ErrHeader, err)
	}
	if filled != "" {
		return nil, "", fmt.Errorf("%w: an empty %s", ErrHeader, filled)
	}
	total := 0
	for i, n := range counts {
		if total += n; fields[i].lower == "from" && n != 1 {
			return nil, "", fmt.Errorf("%w: %d From fields", ErrHeader, n)
		}
	}
	if total > maxSignedFields || all > maxFields {
		return nil, "", fmt.Errorf("%w: %d fields, %d of them to sign", ErrHeader, all, total)
	}
	if body < 0 {
		end = "\r\n"
		if message[len(message)-1] != '\n' {
			end = "\r\n\r\n"
		}
	}
	var list signedList
	for i, f := range fields {
		for range counts[i] {
			list.add(f.name)
		}
		if f.oversign && (counts[i] > 0 || f.absent) {
			list.addMissing(f.name)
		}
	}
	return list.keys(), end, nil
}

// A signedList is the list of the tag h= in runs that can stand in a line of
// their own: each but the first begins with a name for which there is no field.
type signedList struct {
	runs [][]string
}

func (l *signedList) add(name string) {
	if len(l.runs) == 0 {
		l.runs = append(l.runs, nil)
	}
	last := &l.runs[len(l.runs)-1]
	*last = append(*last, name)
}

func (l *signedList) addMissing(name string) { l.runs = append(l.runs, []string{name}) }

// keys returns the names, with a line end and a space before those where a line
// has to begin.
func (l *signedList) keys() []string {
	const full = 76 // octets of a line, beside the separator that follows
	var keys []string
	column := len(" h=")
	for i, run := range l.runs {
		width := len(run) - 1
		for _, name := range run {
			width += len(name)
		}
		if i > 0 && column+1+width > full {
			run[0] = "\r\n " + run[0]
			column = 1 + width
		} else {
			column += 1 + width
		}
		keys = append(keys, run...)
	}
	return keys
}
