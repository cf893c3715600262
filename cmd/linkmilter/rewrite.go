package main

import (
	"fmt"
	"io"
	"net/netip"

	"github.com/linkmilter/linkmilter/internal/bom"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/spf13/cobra"
)

func newRewrite() *cobra.Command {
	var rule, file string
	cmd := &cobra.Command{
		Use:   "rewrite [--config FILE] [--rule NAME] [PATH|-]",
		Short: "Print a message as the milter would deliver it",
		Long: `Reads one message from PATH or standard input and writes it to standard output
as linkmilter would return it to the mail server. The rule NAME applies, or the
rule for mail from a local, authenticated client. The configuration comes from
FILE, or is the built-in one. Unedited bytes stay the same. Standard error says why
the message was edited or not, and what the mail server would do with it. rewrite
writes a message even if the mail server would refuse it.`,
		Example: `  linkmilter rewrite < in.eml > out.eml
  linkmilter rewrite message.eml | less`,
		Args: atMostOnePath,
		RunE: func(cmd *cobra.Command, args []string) error {
			boundMemory()
			name, raw, err := readMessage(typedInput(cmd), args)
			if err != nil {
				return err
			}
			f, err := configuredFilter(file)
			if err != nil {
				return err
			}
			env := localClient()
			if rule != "" {
				env = envelope.Envelope{Sender: anySender}
				if f, err = f.WithRule(rule); err != nil {
					return usageError(cmd, fmt.Errorf("--rule: %w", err))
				}
			}
			raw, marked := bom.Cut(raw)
			result := f.Message(cmd.Context(), env, raw)
			fmt.Fprintf(cmd.ErrOrStderr(), "linkmilter: %s: %s\n", printable.Text(name), printable.Text(result.Report.String()))
			return writeMessage(cmd.OutOrStdout(), marked, result.Message(raw))
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "take the configuration from `FILE`")
	cmd.Flags().StringVar(&rule, "rule", "", "apply the rule called `NAME`, whoever sent the message")
	return cmd
}

// writeMessage writes a message, after the byte order mark that its file began with.
func writeMessage(w io.Writer, marked bool, message []byte) error {
	var parts [][]byte
	if marked {
		parts = append(parts, []byte(bom.UTF8))
	}
	parts = append(parts, message)
	for _, part := range parts {
		if isTerminal(w) {
			part = []byte(printable.Lines(string(part)))
		}
		if _, err := w.Write(part); err != nil {
			return fmt.Errorf("writing to standard output: %w", err)
		}
	}
	return nil
}

// anySender is an example envelope sender: an empty one would be a bounce.
const anySender = "user@example.com"

// localClient is the envelope of a message that a user of this machine sends
// with authentication.
func localClient() envelope.Envelope {
	return envelope.Envelope{
		Sender:        anySender,
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
