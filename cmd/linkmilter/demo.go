package main

import (
	"fmt"

	"github.com/linkmilter/linkmilter/internal/demo"
	"github.com/spf13/cobra"
)

func newDemo() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Send sample messages through a real milter session and show them before and after",
		Long: `Starts a small SMTP server and linkmilter's milter in this process, on free
ports of 127.0.0.1, sends sample messages through them, and shows each message
before and after. It needs no set-up and no rights, and changes nothing.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := demo.Run(cmd.Context(), cmd.OutOrStdout()); err != nil {
				return fmt.Errorf("demo: %w", err)
			}
			return nil
		},
	}
}
