package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/linkmilter/linkmilter/internal/demo"
)

func newDemo() *cobra.Command {
	web, listen := false, "127.0.0.1:0"
	cmd := &cobra.Command{
		Use:   "demo [--web [--listen HOST:PORT]]",
		Short: "Send sample messages through a real milter session and show them before and after",
		Long: `Starts a small SMTP server and linkmilter's milter in this process, on free
ports of 127.0.0.1, sends sample messages through them, and shows each message
before and after. It needs no set-up and no rights, and changes nothing.

With --web it starts the service with the page for operators, sends it sample
messages, prints the address of the page, and runs until Ctrl-C.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := runDemo(cmd, web, listen); err != nil {
				return fmt.Errorf("demo: %w", err)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&web, "web", false, "show the page for operators with sample messages")
	cmd.Flags().StringVar(&listen, "listen", listen, "with --web, loopback address `HOST:PORT` of the page; port 0: a free one")
	return cmd
}

func runDemo(cmd *cobra.Command, web bool, listen string) error {
	if !web {
		if cmd.Flags().Changed("listen") {
			return fmt.Errorf("--listen %q: no effect without --web", listen)
		}
		return demo.Run(cmd.Context(), cmd.OutOrStdout())
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return demo.Web(ctx, cmd.OutOrStdout(), programVersion(), listen)
}
