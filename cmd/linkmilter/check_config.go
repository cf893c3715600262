package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/linkmilter/linkmilter/internal/config"
	"github.com/linkmilter/linkmilter/internal/printable"
)

func newCheckConfig() *cobra.Command {
	return &cobra.Command{
		Use:   "check-config FILE",
		Short: "Check a configuration file and name everything that is wrong with it",
		Long: `Reads a configuration file as serve does and says what is wrong with it, all at
once, each with its line and column. Of a good file it says where serve listens.
Nothing is started. The exit status is 0 if the file is good, else 2.`,
		Example: `  linkmilter check-config /etc/linkmilter.toml && systemctl reload linkmilter`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError(cmd, fmt.Errorf("name one configuration file"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := config.Load(args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is good: %s\n%s\n", printable.Text(args[0]), counted(len(file.Rules), "rule"), listening(file))
			return err
		},
	}
}

// listening says where serve listens with a file, unless the command line or systemd
// says otherwise.
func listening(file *config.File) string {
	var places []string
	for _, address := range file.Milter.Listen {
		places = append(places, "milter "+printable.Text(address))
	}
	for _, address := range file.ContentFilter.Listen {
		places = append(places, "smtp "+printable.Text(address))
	}
	if len(places) == 0 {
		return "listens nowhere by itself: milter.listen and content_filter.listen are empty"
	}
	return "listens for " + strings.Join(places, ", ")
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
