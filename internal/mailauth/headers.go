package mailauth

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// DefaultFields returns the names of the fields that a [Signer] signs and over-signs if its options
// do not name any.
func DefaultFields() (headers, oversign []string) {
	return slices.Clone(defaultHeaders), slices.Clone(defaultOversign)
}

// defaultHeaders are the fields that are signed: those of RFC 6376 §5.4.1 that
// programs show or act upon.
var defaultHeaders = []string{
	"From", "Sender", "Reply-To", "Subject", "Date", "Message-ID", "To", "Cc",
	"MIME-Version", "Content-Type", "Content-Transfer-Encoding", "In-Reply-To", "References",
	"List-Id", "List-Help", "List-Unsubscribe", "List-Unsubscribe-Post", "List-Subscribe",
	"List-Post", "List-Owner", "List-Archive",
}

// defaultOversign are the fields that are over-signed: a server or an attacker that
// adds one breaks the signature.
var defaultOversign = []string{
	"From", "Reply-To", "Subject", "Date", "To", "Cc",
	"MIME-Version", "Content-Type", "Content-Transfer-Encoding",
}

// addedOnTheWay are fields that mail servers add to messages that lack them (RFC 6409 §8;
// NoRecipientAction of Sendmail). Their absence is not signed.
var addedOnTheWay = []string{
	"from", "sender", "date", "message-id", "to",
	"mime-version", "content-type", "content-transfer-encoding",
}

// filledOnTheWay are fields that Sendmail fills if they are empty.
var filledOnTheWay = []string{"date", "message-id"}

// changedOnTheWay are fields that servers add, change or remove, which would break
// a signature over them (RFC 6376 §5.4).
var changedOnTheWay = []string{
	"return-path", "received", "delivered-to", "bcc", "resent-bcc", "content-length", "full-name", "authentication-results",
	"dkim-signature", "arc-seal", "arc-message-signature", "arc-authentication-results",
	"x-linkmilter", "x-linkmilter-finding",
}

// go-msgauth passes over the header once for each field that it signs.
const (
	maxSignedFields = 200    // of a message
	maxFields       = 10_000 // of a message that is signed
)

// A signedField is the name of a field that is signed.
type signedField struct {
	name, lower string
	oversign    bool // sign the name once more than the message has it
	absent      bool // over-sign the name even if the message lacks the field
}

// signedFields are the fields that are signed.
type signedFields []signedField

// newSignedFields checks the two lists of the options and merges them.
func newSignedFields(headers, oversign []string) (signedFields, error) {
	if headers == nil {
		headers = defaultHeaders
	}
	if oversign == nil {
		oversign = defaultOversign
	}
	var fields signedFields
	for i, name := range slices.Concat(headers, oversign) {
		lower := strings.ToLower(name)
		switch {
		case name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || r == ':' || r == ';' }):
			return nil, fmt.Errorf("DKIM header field %q: not a field name (want a name such as Subject)", name)
		case slices.Contains(changedOnTheWay, lower):
			return nil, fmt.Errorf("DKIM header field %q: not signable, mail servers add, change or remove it", name)
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
		return nil, fmt.Errorf("DKIM header fields: no From (RFC 6376 §5.4 requires it)")
	}
	if len(fields) > maxSignedFields/4 {
		return nil, fmt.Errorf("DKIM header fields: %d are too many (want at most %d)", len(fields), maxSignedFields/4)
	}
	return fields, nil
}

// keys returns the names for the tag h= of a message's signature. end is the line
// ends to append to a message that lacks the empty line after its header.
//
// The name of a missing field may have white space before it, since neither signers
// nor verifiers look for the field. keys folds h= there: go-msgauth does not fold it.
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
		return nil, "", fmt.Errorf("%w: %w", errUnsignable, err)
	}
	if filled != "" {
		return nil, "", fmt.Errorf("%w: an empty %s", errUnsignable, filled)
	}
	total := 0
	for i, n := range counts {
		if total += n; fields[i].lower == "from" && n != 1 {
			return nil, "", fmt.Errorf("%w: %d From fields", errUnsignable, n)
		}
	}
	if total > maxSignedFields || all > maxFields {
		return nil, "", fmt.Errorf("%w: %d fields, %d of them to sign", errUnsignable, all, total)
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

// A signedList is the list of the tag h=, in runs that may begin a new line: each run
// but the first begins with the name of a missing field.
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

// keys returns the names. Those that begin a new line have a line end and a space
// before them.
func (l *signedList) keys() []string {
	const full = 76 // bytes of a line, without the separator that follows
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
