package main

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linkmilter/linkmilter/internal/envelope"
)

// senderFlags are the flags that describe who sends a message to whom.
type senderFlags struct {
	from, client  string
	to            []string
	authenticated bool
}

// add adds the flags to those of a command.
func (s *senderFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&s.from, "from", envelope.AnySender, "envelope sender `ADDRESS`; <> for a bounce")
	flags.StringArrayVar(&s.to, "to", nil, "envelope recipient `ADDRESS`; again for several")
	flags.StringVar(&s.client, "client", "", "the client's `IP` address")
	flags.BoolVar(&s.authenticated, "auth", false, "the client logged in")
}

// senderFlagNames are the names of the flags.
var senderFlagNames = []string{"from", "to", "client", "auth"}

// envelope returns the envelope that the flags describe, and whether one is given.
func (s *senderFlags) envelope(cmd *cobra.Command) (env envelope.Envelope, given bool, err error) {
	for _, name := range senderFlagNames {
		given = given || cmd.Flags().Changed(name)
	}
	env = envelope.Envelope{Sender: strings.Trim(s.from, "<>"), Authenticated: s.authenticated}
	for _, to := range s.to {
		env.Recipients = append(env.Recipients, strings.Trim(to, "<>"))
	}
	if s.client != "" {
		if env.Client, err = netip.ParseAddr(s.client); err != nil {
			return env, given, fmt.Errorf("--client %q: not an IP address (want one such as 192.0.2.1)", s.client)
		}
	}
	return env, given, nil
}
