package main

import (
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// typedInput returns standard input. On a terminal the first read tells the user that
// the command waits for input.
func typedInput(cmd *cobra.Command) io.Reader {
	in := cmd.InOrStdin()
	if f, ok := in.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		return in
	}
	return &typed{Reader: in, stderr: cmd.ErrOrStderr()}
}

// typed is standard input from a terminal.
type typed struct {
	io.Reader
	stderr io.Writer
	once   sync.Once
}

func (t *typed) Read(p []byte) (int, error) {
	t.once.Do(func() { fmt.Fprintln(t.stderr, "linkmilter: reading what you type; Ctrl-D ends it") })
	return t.Reader.Read(p)
}
