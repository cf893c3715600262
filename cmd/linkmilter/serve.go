package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/milter"
	"github.com/spf13/cobra"
)

const (
	defaultMilter = "inet:8895@127.0.0.1"

	// drainTime is how long messages in hand may take after a signal to stop:
	// more than a message's own time budget, less than systemd's patience.
	drainTime = 30 * time.Second
)

func newServe() *cobra.Command {
	var addresses []string
	cmd := &cobra.Command{
		Use:   "serve [--milter ADDR]...",
		Short: "Run as a milter beside Postfix or Sendmail",
		Long: `Listens for a mail server that speaks the milter protocol and filters what it
sends. Mail from authenticated clients and from this machine gets an HTML
alternative where that makes links readable; other mail is only looked at.
Whatever goes wrong, the original message goes on, and the log says why.

ADDR is written as Sendmail does (inet:8895@127.0.0.1, unix:/run/linkmilter/milter.sock)
or as Postfix does (inet:127.0.0.1:8895). Give --milter again for more than one.

SIGTERM and SIGINT end it: messages in hand are finished first.`,
		Example: `  linkmilter serve
  linkmilter serve --milter unix:/var/spool/postfix/linkmilter/milter.sock

In Postfix's main.cf:
  smtpd_milters = inet:127.0.0.1:8895
  non_smtpd_milters = inet:127.0.0.1:8895
  milter_default_action = tempfail`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM, syscall.SIGINT)
			defer stop()
			log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))
			return serve(ctx, addresses, log)
		},
	}
	cmd.Flags().StringArrayVar(&addresses, "milter", []string{defaultMilter}, "listen on `ADDR` for a mail server (repeatable)")
	return cmd
}

// serve runs the milter on all addresses until ctx ends or a listener fails.
func serve(ctx context.Context, addresses []string, log *slog.Logger) error {
	f, err := filter.New(defaultOptions())
	if err != nil {
		return err
	}
	server, err := milter.NewServer(milter.Options{Filter: f, Log: log})
	if err != nil {
		return err
	}
	listeners, err := listen(ctx, addresses)
	if err != nil {
		return err
	}
	log.Info("start", "version", programVersion())
	if !engine.TablesAgree() {
		log.Warn("unicode tables differ in version: links whose host is not ASCII are not edited; build with Go 1.27 or newer")
	}

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var serving sync.WaitGroup
	failed := make(chan error, len(listeners))
	for i, l := range listeners {
		log.Info("listening", "milter", addresses[i])
		serving.Go(func() {
			if err := server.Serve(l); err != nil && !errors.Is(err, milter.ErrServerClosed) {
				failed <- fmt.Errorf("%s: %w", addresses[i], err)
				stop()
			}
		})
	}
	<-ctx.Done()
	log.Info("stopping")
	drain, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	err = server.Shutdown(drain)
	serving.Wait()
	close(failed)
	for failure := range failed {
		err = errors.Join(err, failure)
	}
	return err
}

// listen opens every address or none.
func listen(ctx context.Context, addresses []string) ([]net.Listener, error) {
	var listeners []net.Listener
	for _, address := range addresses {
		l, err := milter.Listen(ctx, address)
		if err != nil {
			for _, open := range listeners {
				open.Close()
			}
			return nil, fmt.Errorf("--milter %s: %w", address, err)
		}
		listeners = append(listeners, l)
	}
	return listeners, nil
}
