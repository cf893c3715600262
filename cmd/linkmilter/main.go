// Command linkmilter finds, judges and makes readable the links of mail: as a
// milter for Postfix and Sendmail, and as a tool for files.
//
// How it speaks to people:
//   - results go to standard output, everything else to standard error;
//   - an error is one line, lower case, the program's name first: what was
//     being done to which file, what went wrong, and on the next line what to do;
//   - text that comes from messages is never printed raw where it could steer
//     the terminal: controls and Bidi controls are shown as \u{…};
//   - exit 0: done; 1: findings at or above --fail-on; 2: usage, configuration
//     or I/O error; 3: serve could not go on, and may be started again.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
)

const (
	exitFindings = 1
	exitError    = 2
	exitService  = 3
)

func main() {
	err := newRoot().ExecuteContext(context.Background())
	if err == nil {
		return
	}
	if errors.Is(err, errFindings) {
		os.Exit(exitFindings)
	}
	fmt.Fprintln(os.Stderr, errorText(err))
	if line := advice(err); line != "" {
		fmt.Fprintln(os.Stderr, line)
	}
	if errors.As(err, new(serviceError)) {
		os.Exit(exitService)
	}
	os.Exit(exitError)
}
