//go:build linux

package main

import (
	"context"
	"fmt"
	"net/netip"
	"slices"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/envelope"
)

// An oracle says what linkmilter makes of a message. It asks a filter in this process, with the
// configuration of the server under load.
type oracle struct{ filter *filter.Filter }

func newOracle(document string) (*oracle, error) {
	file, err := config.Parse("load.toml", []byte(document))
	if err != nil {
		return nil, err
	}
	f, err := filter.New(file.Filter(nil))
	return &oracle{f}, err
}

// result returns the message as it goes on, and the action. By SMTP, where clients do not log
// in, senders whom linkmilter trusts are on this machine.
func (o *oracle) result(m *mail) ([]byte, filter.Result) {
	env := envelope.Envelope{
		Sender: m.sender, Recipients: []string{m.recipient}, Client: netip.MustParseAddr(clientAddress), Helo: clientName,
		Authenticated: m.login, Host: serverName, BodyType: "8BITMIME",
	}
	sent := m.raw()
	result := o.filter.Message(context.Background(), env, sent)
	return result.Message(sent), result
}

// finals are the final replies of a milter for an action.
var finals = map[rule.Action]byte{
	rule.ActionNone: accept, rule.ActionTag: accept, rule.ActionQuarantine: accept,
	rule.ActionTempFail: replyCode, rule.ActionDiscard: discard, rule.ActionReject: replyCode,
}

// judge checks that a milter makes of a message what the filter makes of it.
func (o *oracle) judge(m *mail, changes []change, final byte) error {
	want, result := o.result(m)
	if final != finals[result.Action] {
		return fmt.Errorf("final reply %q, want that for %s", final, result.Action)
	}
	held := slices.ContainsFunc(changes, func(c change) bool { return c.code == quarantine })
	if held != (result.Action == rule.ActionQuarantine) {
		return fmt.Errorf("quarantine %v, want the action %s", held, result.Action)
	}
	if final != accept {
		return nil
	}
	return same(want, m.changed(changes))
}
