package main

import "github.com/spf13/cobra"

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "linkmilter",
		Short: "Find links in mail exactly as UTS #58 says, make them readable, and flag the spoofable ones",
		Long: `linkmilter finds every URL and e-mail address in a message, in every script,
exactly as Unicode Technical Standard #58 says. It judges each one, and adds an
HTML alternative in which over-escaped links are readable again.

It runs as a milter beside Postfix or Sendmail or in the SMTP path (linkmilter
serve), and on files (linkmilter scan, linkmilter rewrite).

Exit status: 0 done, 1 findings at or above --fail-on, 2 usage or I/O error.`,
		Example: `  linkmilter demo                                  see it at work, without set-up
  linkmilter serve --milter inet:8895@127.0.0.1    run beside Postfix or Sendmail
  linkmilter scan ~/Maildir                        list the links of a mailbox
  linkmilter rewrite < in.eml > out.eml            edit a message as the milter would`,
		Args:          noArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.Version = programVersion()
	root.SetVersionTemplate("linkmilter {{.Version}}\n")
	root.InitDefaultVersionFlag()
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usageError(cmd, err)
	})
	root.SuggestionsMinimumDistance = 2
	root.SetHelpCommand(newHelp())
	root.AddCommand(newServe(), newScan(), newRewrite(), newFormat(), newExplain(), newTLDs(), newReport(), newTry(),
		newDKIM(), newQuarantine(), newCheckConfig(), newDemo(), newVersion())
	completeFlags(root)
	return root
}

// newHelp is cobra's help command, which also refuses unknown commands.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err == nil {
				err = noArguments(topic, rest)
			}
			if err != nil {
				return err
			}
			return topic.Help()
		},
	}
}
