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
		Use:   "serve [--config FILE] [--milter ADDR]... [--smtp ADDR --next-hop ADDR] [--http ADDR]...",
		Short: "Run as a milter beside Postfix or Sendmail, or in the SMTP path",
		Long: `Runs the milter: a mail server connects and sends each message, and linkmilter
answers with edits. Without a configuration, mail from authenticated clients and
from this machine gets an HTML alternative where that makes links readable. Other
mail is only judged, and tagged where something is wrong. After any error the
original message goes on, and the log says why.

ADDR has the form of Sendmail (inet:8895@127.0.0.1, unix:/run/linkmilter/milter.sock)
or of Postfix (inet:127.0.0.1:8895). Give --milter again for more addresses; they
replace those of the file. The default is inet:8895@127.0.0.1, or the sockets that
systemd passes.

For mail servers without milters, such as Exim, linkmilter is an SMTP content
filter: --smtp receives messages and --next-hop gets them, both as 127.0.0.1:10025 or
unix:/path. linkmilter has no queue: the client gets the reply of the next hop. With
--smtp alone no milter listens.

--http answers programs such as spam filters over HTTP: POST /v1/check judges a message
or links, POST /v1/explain explains links. Without --config and --milter no milter
listens then. Other machines need allow, TLS and tokens
in the table [http] of the file. docs/http.md has recipes.

SIGHUP reads the file again; after an error the log names it and the old
configuration stays. SIGTERM and SIGINT stop the service: it finishes open messages
first, for at most 30 seconds. Before that, it takes mail for as long as service.drain
says, unless a second signal comes. A further signal stops it at once.

Exit status: 0 stopped, 2 bad configuration, 3 could not continue.`,
		Example: `  linkmilter serve
  linkmilter serve --config /etc/linkmilter.toml
  linkmilter serve --milter unix:/var/spool/postfix/linkmilter/milter.sock
  linkmilter serve --smtp 127.0.0.1:10025 --next-hop 127.0.0.1:10026
  linkmilter serve --http 127.0.0.1:8897

In Postfix's main.cf:
  smtpd_milters = inet:127.0.0.1:8895
  non_smtpd_milters = inet:127.0.0.1:8895
  milter_default_action = tempfail`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd, o) },
	}
	cmd.Flags().StringVar(&o.Config, "config", "", "read the configuration from `FILE`")
	cmd.Flags().StringArrayVar(&o.Milter, "milter", nil, "listen on `ADDR` for a mail server (repeatable)")
	cmd.Flags().StringArrayVar(&o.ContentFilter, "smtp", nil, "listen on `ADDR` for mail over SMTP (repeatable)")
	cmd.Flags().StringArrayVar(&o.HTTP, "http", nil, "answer HTTP requests on `ADDR` (repeatable)")
	cmd.Flags().StringVar(&o.NextHop, "next-hop", "", "hand that mail on to `ADDR`")
	return cmd
}

// serve runs the service until a signal or an error ends it.
func serve(cmd *cobra.Command, o service.Options) error {
	// After a crash or an abort by systemd's watchdog the process must die by a
	// signal. Go's exit status 2 for a crash also means a wrong configuration,
	// after which systemd does not restart the service.
	debug.SetTraceback("crash")

	// Otherwise the service would die if the program that reads its log dies, and mail would wait
	// until both are started again.
	signal.Ignore(syscall.SIGPIPE)

	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT)
	defer signal.Stop(signals)
	o.Signals, o.Log = signals, cmd.ErrOrStderr()
	return serveError(service.Run(cmd.Context(), o))
}

// serveError marks the errors that a restart may solve.
func serveError(err error) error {
	var wrong *service.ConfigError
	if err == nil || errors.As(err, &wrong) {
		return err
	}
	return serviceError{err}
}
