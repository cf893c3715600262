package main

import (
	"context"
	"net/mail"
	"net/netip"
	"regexp"
	"strings"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// A trial is what the rules would have done with a message.
type trial struct {
	file   string
	size   int // in bytes
	report report.Report
	diff   string // of an edit; empty where none was asked for
}

// happened says what would have become of the message: its action, an edit, or nothing.
func (t *trial) happened() string {
	switch {
	case t.refused():
		return t.report.Action.String()
	case t.report.Action != rule.ActionNone && t.report.Edited:
		return t.report.Action.String() + ", edited"
	case t.report.Action != rule.ActionNone:
		return t.report.Action.String()
	case t.report.Edited:
		return "edited"
	}
	return "unchanged"
}

// refused reports whether no recipient would get the message, so that its edit does not
// count.
func (t *trial) refused() bool { return t.report.Action >= rule.ActionTempFail }

// why says for which finding or reason.
func (t *trial) why() string {
	if t.report.Because != "" {
		return t.report.Because
	}
	if t.report.Edited {
		return "readable links"
	}
	return string(t.report.NotDone)
}

// received finds the facts about the client in the field that the operator's mail
// server wrote (RFC 5321 §4.4, Postfix, Sendmail, Exim).
var (
	receivedAddress = regexp.MustCompile(`\[(?:IPv6:)?([0-9a-fA-F.:]+)\]`)
	receivedLogin   = regexp.MustCompile(`(?i)\bwith (?:E?SMTPS?A|UTF8SMTPS?A)\b|\(Authenticated sender:|\bauthenticated\b`)
)

// guessedEnvelope returns the envelope that an archived message probably had: sender from
// Return-Path, recipients from what servers note at delivery, else from To, the client
// from the last server's Received.
func guessedEnvelope(m *mime.Message) envelope.Envelope {
	env := envelope.Envelope{Sender: envelope.AnySender}
	first := func(names ...string) (string, bool) {
		for _, name := range names {
			for _, f := range m.Root.Fields {
				if strings.EqualFold(f.Name, name) {
					return m.FieldValue(f), true
				}
			}
		}
		return "", false
	}
	if path, ok := first("Return-Path"); ok {
		env.Sender = strings.Trim(path, "<> \t")
	} else if from, ok := first("From"); ok {
		if address, err := mail.ParseAddress(from); err == nil {
			env.Sender = address.Address
		}
	}
	if to, ok := first("X-Original-To", "Delivered-To", "Envelope-To"); ok {
		env.Recipients = []string{strings.Trim(to, "<> \t")}
	} else if to, ok := first("To"); ok {
		if list, err := mail.ParseAddressList(to); err == nil {
			for _, address := range list {
				env.Recipients = append(env.Recipients, address.Address)
			}
		}
	}
	if received, ok := first("Received"); ok {
		if found := receivedAddress.FindStringSubmatch(received); found != nil {
			env.Client, _ = netip.ParseAddr(found[1]) // the zero address for other text
		}
		env.Authenticated = receivedLogin.MatchString(received)
	}
	return env
}

// newTrial runs the rules of f over a message, with the envelope env or, where that is
// nil, the one that the message probably had. With diff it keeps what an edit changes.
func newTrial(ctx context.Context, f *filter.Filter, in input, env *envelope.Envelope, diff bool) *trial {
	if env == nil {
		guessed := guessedEnvelope(mime.Parse(ctx, in.raw, mime.DefaultLimits()))
		env = &guessed
	}
	result := f.Message(ctx, *env, in.raw)
	t := &trial{file: fileName(in.name), size: len(in.raw), report: result.Report}
	if diff && result.Report.Edited && !t.refused() {
		t.diff = diffOf(t.file, in.raw, result.Message(in.raw), paint{})
	}
	t.report.Parts, t.report.Links = nil, nil // they hold the message
	return t
}
