package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/bcrypt"
	"golang.org/x/term"
)

// leastPassword is how many bytes a password must have.
const leastPassword = 8

func newPassword() *cobra.Command {
	return &cobra.Command{
		Use:   "password",
		Short: "Print the hash of a password for the page of operators",
		Long: `Asks for a password twice, without showing it, or reads a line of standard input, and
prints its bcrypt hash: for admin.password, or for the file of admin.password_file. Any
user name will do on the page. The password has 8 to 72 bytes.`,
		Example: `  linkmilter password
  linkmilter password > /etc/linkmilter.password && chmod 600 /etc/linkmilter.password`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			password, err := readPassword(cmd)
			if err != nil {
				return err
			}
			if n := len(password); n < leastPassword || n > 72 {
				return fmt.Errorf("password: %d bytes (want %d to 72)", n, leastPassword)
			}
			hash, err := bcrypt.GenerateFromPassword(password, bcrypt.DefaultCost)
			if err != nil {
				return fmt.Errorf("password: %w", err)
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), string(hash))
			return err
		},
	}
}

// readPassword asks for a password on a terminal, or reads a line.
func readPassword(cmd *cobra.Command) ([]byte, error) {
	in, isFile := cmd.InOrStdin().(*os.File)
	if !isFile || !term.IsTerminal(int(in.Fd())) {
		line, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
		if err != nil && line == "" {
			return nil, fmt.Errorf("password: %w", err)
		}
		return []byte(strings.TrimRight(line, "\r\n")), nil
	}
	ask := func(question string) ([]byte, error) {
		fmt.Fprint(cmd.ErrOrStderr(), question)
		answer, err := term.ReadPassword(int(in.Fd()))
		fmt.Fprintln(cmd.ErrOrStderr())
		return answer, err
	}
	first, err := ask("Password: ")
	if err != nil {
		return nil, fmt.Errorf("password: %w", err)
	}
	second, err := ask("Once more: ")
	if err != nil {
		return nil, fmt.Errorf("password: %w", err)
	}
	if string(first) != string(second) {
		return nil, errors.New("password: the two differ (want the same twice)")
	}
	return first, nil
}
