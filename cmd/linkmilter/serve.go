package main

import (
	"errors"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/linkmilter/linkmilter/internal/service"
)

func newServe() *cobra.Command {
	o := service.Options{Version: programVersion()}
	cmd := &cobra.Command{
		Use:   "serve [--config FILE] [--milter ADDR]... [--smtp ADDR --next-hop ADDR]",
		Short: "Run as a milter beside Postfix or Sendmail, or in the SMTP path",
		Long: `Listens for a mail server that speaks the milter protocol and filters what it
sends. Without a configuration, mail from authenticated clients and from this
machine gets an HTML alternative where that makes links readable; other mail is
only looked at, and tagged where something is wrong. Whatever goes wrong, the
original message goes on, and the log says why.

ADDR is written as Sendmail does (inet:8895@127.0.0.1, unix:/run/linkmilter/milter.sock)
or as Postfix does (inet:127.0.0.1:8895). Give --milter again for more than one;
the addresses of the file then do not count. Without any it is inet:8895@127.0.0.1,
or the sockets that systemd passes.

For mail servers without milters, such as Exim, --smtp has messages come in over
SMTP and --next-hop go on from there, both as 127.0.0.1:10025 or unix:/path. Nothing
is queued: a client gets the reply of the next hop. With --smtp alone no milter
listens.

SIGHUP reads the file again; a bad one is named in the log and changes nothing.
SIGTERM and SIGINT end it: messages in hand are finished first, 30 seconds at
most. A second one ends it at once.

Exit status: 0 stopped, 2 the configuration is wrong, 3 it could not go on.`,
		Example: `  linkmilter serve
  linkmilter serve --config /etc/linkmilter.toml
  linkmilter serve --milter unix:/var/spool/postfix/linkmilter/milter.sock
  linkmilter serve --smtp 127.0.0.1:10025 --next-hop 127.0.0.1:10026

In Postfix's main.cf:
  smtpd_milters = inet:127.0.0.1:8895
  non_smtpd_milters = inet:127.0.0.1:8895
  milter_default_action = tempfail`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			// Where the process crashes or systemd's watchdog aborts it, it shall die
			// by a signal: Go's own exit status for that is the one of a wrong
			// configuration, after which systemd starts nothing again.
			debug.SetTraceback("crash")

			signals := make(chan os.Signal, 4)
			signal.Notify(signals, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT)
			defer signal.Stop(signals)
			o.Signals, o.Log = signals, cmd.ErrOrStderr()
			return serveError(service.Run(cmd.Context(), o))
		},
	}
	cmd.Flags().StringVar(&o.Config, "config", "", "read the configuration from `FILE`")
	cmd.Flags().StringArrayVar(&o.Milter, "milter", nil, "listen on `ADDR` for a mail server (repeatable)")
	cmd.Flags().StringArrayVar(&o.ContentFilter, "smtp", nil, "listen on `ADDR` for mail over SMTP (repeatable)")
	cmd.Flags().StringVar(&o.NextHop, "next-hop", "", "hand that mail on to `ADDR`")
	return cmd
}

// serveError tells apart what a new start would not help against.
func serveError(err error) error {
	var wrong *service.ConfigError
	if err == nil || errors.As(err, &wrong) {
		return err
	}
	return serviceError{err}
}
