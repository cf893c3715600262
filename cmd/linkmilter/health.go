package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/printable"
)

// healthTime is how long the service may take to answer: longer than its own check may take.
const healthTime = 8 * time.Second

// unhealthy ends health with the status that container engines expect.
type unhealthy struct{ error }

func (e unhealthy) Unwrap() error { return e.error }

func newHealth() *cobra.Command {
	var path string
	var ready bool
	cmd := &cobra.Command{
		Use:   "health [--config FILE] [--ready]",
		Short: "Ask a running linkmilter whether it works",
		Long: `Asks the listener of admin.listen for /healthz, or with --ready for /readyz, and prints
the answer. It is for the health checks of containers, whose image has no other program.

Exit status: 0 it works, 1 it does not or nothing answers, 2 the configuration is bad or
has no admin.listen.`,
		Example: `  linkmilter health
  linkmilter health --ready --config /etc/linkmilter.toml`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			file, err := config.LoadWithoutKeys(path)
			if err != nil {
				return err
			}
			if file.Admin.Listen == "" {
				return fmt.Errorf("%q: admin.listen is not set (want listen = \"127.0.0.1:8896\" in [admin])", path)
			}
			check := "/healthz"
			if ready {
				check = "/readyz"
			}
			answer, err := ask(cmd.Context(), file.Admin.Listen, check)
			if err != nil {
				return unhealthy{fmt.Errorf("health: %w", err)}
			}
			_, err = io.WriteString(cmd.OutOrStdout(), printable.Lines(answer))
			return err
		},
	}
	cmd.Flags().StringVar(&path, "config", defaultConfig, "take admin.listen from `FILE`")
	cmd.Flags().BoolVar(&ready, "ready", false, "ask whether it takes mail now")
	return cmd
}

// ask returns the answer of a check at the address of admin.listen.
func ask(ctx context.Context, listen, check string) (string, error) {
	network, address, err := mailserver.ParseAddr(mailserver.WithScheme(listen))
	if err != nil {
		return "", err
	}
	host, port, _ := net.SplitHostPort(address)
	if host == "0.0.0.0" || host == "::" { // listening on all addresses includes the loopback address
		address = net.JoinHostPort(cmp.Or(map[string]string{"::": "::1"}[host], "127.0.0.1"), port)
	}
	client := &http.Client{Timeout: healthTime, Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, address)
		},
	}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost"+check, nil)
	if err != nil {
		return "", err
	}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	const most = 4096
	body, err := io.ReadAll(io.LimitReader(response.Body, most))
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.New(strings.TrimSpace(string(body)))
	}
	return string(body), err
}
