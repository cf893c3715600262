package main

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/correspondents"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/lists"
	"github.com/linkmilter/linkmilter/internal/tlds"
	"github.com/linkmilter/linkmilter/policy"
)

// configuredFilter returns the filter that serve would use with the same file, or without a file if
// path is empty.
func configuredFilter(path string) (*filter.Filter, error) {
	options, err := optionsOf(path, config.Load)
	if err != nil {
		return nil, err
	}
	return filter.New(options)
}

// configuredOptions returns the options of configuredFilter's filter without signing:
// commands that only judge need not read the keys.
func configuredOptions(path string) (filter.Options, error) {
	return optionsOf(path, config.LoadWithoutKeys)
}

func optionsOf(path string, load func(string) (*config.File, error)) (filter.Options, error) {
	if path == "" {
		file := config.Default()
		return file.Filter(nil), nil
	}
	file, err := load(path)
	if err != nil {
		return filter.Options{}, err
	}
	names, err := tlds.Open(file.Refresh(nil))
	if err != nil {
		return filter.Options{}, err
	}
	o := file.Filter(names.Current().Set)
	if sources := file.Sources(); len(sources) > 0 {
		set := lists.New(lists.Options{})
		set.Use(sources)
		o.Policy.Lists = set
	}
	if path := file.Correspondents.File; path != "" {
		// Only the account of the service may read the file, and before its first start there is none.
		if known, err := correspondents.Read(context.Background(), path); err == nil {
			o.Policy.Correspondents = known
		}
	}
	return o, nil
}

// readLimit returns how many bytes of a message to read: those that the filter reads, and one more
// to show that the message is longer.
func readLimit(o filter.Options) int {
	return cmp.Or(o.Limits.Message, filter.DefaultOptions().Limits.Message) + 1
}

// senderFlags are the flags for the envelope of a message.
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

// severityFlag reads the value of a flag; "" is [policy.SeverityNone].
func severityFlag(flag, value string) (severity policy.Severity, err error) {
	if value == "" {
		return policy.SeverityNone, nil
	}
	if err := severity.UnmarshalText([]byte(value)); err != nil || severity == policy.SeverityNone {
		return severity, fmt.Errorf("%s %q: unknown (want info, low, medium or high)", flag, value)
	}
	return severity, nil
}

// sinceFlag reads the value of --since.
func sinceFlag(value string, now time.Time) (time.Time, error) {
	return timeFlag("--since", value, now)
}

// timeFlag reads a date, or a time before now in weeks, days or hours. It returns the zero
// time for "".
func timeFlag(flag, value string, now time.Time) (time.Time, error) {
	if value == "" {
		return time.Time{}, nil
	}
	for unit, days := range map[string]int{"d": 1, "w": 7} {
		if count, ok := strings.CutSuffix(value, unit); ok {
			if n, err := strconv.ParseUint(count, 10, 16); err == nil {
				return now.AddDate(0, 0, -days*int(n)), nil
			}
		}
	}
	if ago, err := time.ParseDuration(value); err == nil && ago >= 0 {
		return now.Add(-ago), nil
	}
	if date, err := time.ParseInLocation(time.DateOnly, value, now.Location()); err == nil {
		return date, nil
	}
	return time.Time{}, fmt.Errorf("%s %q: not a date (want 2026-11-30, 2w, 7d or 12h)", flag, value)
}
