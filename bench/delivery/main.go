// Command delivery measures what an edit costs: it sends messages before and after the
// edit through SpamAssassin and Rspamd, and through MailScanner's and Thunderbird's
// comparison of the text of a link with its target, and prints the rules that fire newly.
//
//	go run ./delivery [-linkmilter PROGRAM] [-config FILE] [-every N] [-v]
//
// It needs Debian's spamassassin and rspamd, whose daemons need not run.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
)

func main() {
	program := flag.String("linkmilter", "../bin/linkmilter", "the program whose edits are measured")
	config := flag.String("config", "", "its configuration file")
	every := flag.Int("every", 1, "measure one message of so many")
	verbose := flag.Bool("v", false, "name the messages that cost something")
	flag.Parse()
	if flag.NArg() > 0 || *every <= 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	args := []string{"rewrite"}
	if *config != "" {
		args = append(args, "--config", *config)
	}
	edit := func(raw []byte) ([]byte, error) {
		cmd := exec.CommandContext(ctx, *program, args...)
		cmd.Stdin = bytes.NewReader(raw)
		return cmd.Output()
	}
	r, err := measure(ctx, edit, *every)
	if err != nil {
		fmt.Fprintln(os.Stderr, "delivery:", err)
		os.Exit(1)
	}
	r.print(os.Stdout, *verbose)
	if len(r.costly()) > 0 {
		os.Exit(1)
	}
}
