package main

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"

	"github.com/spf13/cobra"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/stream"
)

// rewriteOptions are the flags of `rewrite`.
type rewriteOptions struct {
	senderFlags
	config, rule string
	diff         bool
}

func newRewrite() *cobra.Command {
	var o rewriteOptions
	cmd := &cobra.Command{
		Use:   "rewrite [--config FILE] [--rule NAME | --from ADDRESS --to ADDRESS... --client IP --auth] [--diff] [PATH|-]",
		Short: "Print a message as the milter would deliver it",
		Long: `Reads one message from PATH or standard input and writes it to standard output
as linkmilter would return it to the mail server. The configuration comes from
FILE, or is the built-in one. Unedited bytes stay the same. Standard error says why
the message was edited or not, and what the mail server would do with it. rewrite
writes a message even if the mail server would refuse it.

Without more flags the message comes from a local, authenticated client. With
--from, --to, --client or --auth it comes from a client as these say, without a
login unless --auth is there; standard error says which rule decides, and which
condition each rule before it does not meet. --rule NAME applies that rule.

--diff prints what changes instead of the message, with fields and texts decoded.`,
		Example: `  linkmilter rewrite < in.eml > out.eml
  linkmilter rewrite --diff message.eml
  linkmilter rewrite --config /etc/linkmilter.toml --from a@example.net --to b@example.com --client 192.0.2.1 message.eml`,
		Args: atMostOnePath,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&o.config, "config", "", "take the configuration from `FILE`")
	flags.StringVar(&o.rule, "rule", "", "apply the rule called `NAME`, whoever sent the message")
	o.add(flags)
	flags.BoolVar(&o.diff, "diff", false, "print what changes, not the message")
	return cmd
}

// run rewrites the message at a path.
func (o *rewriteOptions) run(cmd *cobra.Command, args []string) error {
	boundMemory()
	env, given, err := o.sent(cmd)
	if err != nil {
		return usageError(cmd, err)
	}
	name, raw, err := readMessage(typedInput(cmd), args)
	if err != nil {
		return err
	}
	f, err := configuredFilter(o.config)
	if err != nil {
		return err
	}
	if o.rule != "" {
		if f, err = f.WithRule(o.rule); err != nil {
			return usageError(cmd, fmt.Errorf("--rule: %w", err))
		}
	}
	env.Host, _ = os.Hostname() // without the name of the host, the tags have a general name
	raw, marked := stream.CutBOM(raw)
	if given {
		writeUnmet(cmd.ErrOrStderr(), f, env, raw)
	}
	result := f.Message(cmd.Context(), env, raw)
	fmt.Fprintf(cmd.ErrOrStderr(), "linkmilter: %s: %s\n", printable.Text(name), printable.Text(result.Report.String()))
	if o.diff {
		_, err := io.WriteString(cmd.OutOrStdout(), diffOf(printable.Text(name), raw, result.Message(raw), newPaint(cmd.OutOrStdout())))
		return err
	}
	return writeMessage(cmd.OutOrStdout(), marked, result.Message(raw))
}

// sent returns the envelope of the message, and whether flags describe it.
func (o *rewriteOptions) sent(cmd *cobra.Command) (envelope.Envelope, bool, error) {
	env, given, err := o.envelope(cmd)
	switch {
	case err != nil:
		return env, given, err
	case given && o.rule != "":
		return env, given, errors.New("--rule beside --from, --to, --client or --auth: a rule that is named applies to every sender")
	case o.rule != "":
		return envelope.Envelope{Sender: envelope.AnySender}, false, nil
	case !given:
		return localClient(), false, nil
	}
	return env, true, nil
}

// writeUnmet writes which rule decides, and why the rules before it do not.
func writeUnmet(w io.Writer, f *filter.Filter, env envelope.Envelope, raw []byte) {
	decided := false
	for name, key := range f.Unmet(env, raw) {
		if key == "" {
			fmt.Fprintf(w, "linkmilter: rule %s: decides\n", name)
			decided = true
			continue
		}
		fmt.Fprintf(w, "linkmilter: rule %s: does not match by its condition %s\n", name, key)
	}
	if !decided {
		fmt.Fprintln(w, "linkmilter: no rule matches: the message stays as it came")
	}
}

// writeMessage writes a message, after a byte order mark if its file began with one.
func writeMessage(w io.Writer, marked bool, message []byte) error {
	var parts [][]byte
	if marked {
		parts = append(parts, []byte(stream.BOM))
	}
	parts = append(parts, message)
	for _, part := range parts {
		if isTerminal(w) {
			part = []byte(printable.Lines(string(part)))
		}
		if _, err := w.Write(part); err != nil {
			return outputError(err)
		}
	}
	return nil
}

// localClient returns the envelope of a message that a user of this machine sends with
// authentication.
func localClient() envelope.Envelope {
	return envelope.Envelope{
		Sender:        envelope.AnySender,
		Client:        netip.AddrFrom4([4]byte{127, 0, 0, 1}),
		Authenticated: true,
	}
}

func atMostOnePath(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usageError(cmd, fmt.Errorf("%d messages: too many (want one)", len(args)))
	}
	return nil
}

// readMessage reads the whole file named by the first argument, or stdin without
// an argument or for "-".
func readMessage(stdin io.Reader, args []string) (name string, raw []byte, err error) {
	name = orStandardInput(args)[0]
	err = withFile(name, stdin, func(r io.Reader) (err error) {
		raw, err = io.ReadAll(r)
		return err
	})
	return fileName(name), raw, err
}
