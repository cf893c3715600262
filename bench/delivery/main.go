// Command delivery measures what an edit costs: it sends messages before and after the
// edit through SpamAssassin and Rspamd, and through MailScanner's and Thunderbird's
// comparison of the text of a link with its target, and prints the rules that fire newly.
//
//	go run ./delivery [-set text|html|combined|own] [-any] [-every N] [-keep FOLDER] [-v]
//
// It needs Debian's spamassassin and rspamd, whose daemons need not run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/envelope"
)

// sets are the messages that can be measured.
var sets = map[string]func() []message{"text": textMessages, "html": htmlMessages, "combined": combinedMessages, "own": ownMessages}

func main() {
	anyCost := flag.Bool("any", false, "edit as with edit_cost = \"any\"")
	set := flag.String("set", "text", "the messages: text, html, combined or own")
	every := flag.Int("every", 1, "measure one message of so many")
	keep := flag.String("keep", "", "write the messages before and after the edit into this folder")
	verbose := flag.Bool("v", false, "name the messages that cost something")
	flag.Parse()
	if flag.NArg() > 0 || *every <= 0 || sets[*set] == nil {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	edit, err := editing(ctx, *anyCost)
	if err != nil {
		fmt.Fprintln(os.Stderr, "delivery:", err)
		os.Exit(1)
	}
	if *keep != "" {
		edit = keeping(*keep, edit)
	}
	r, err := measure(ctx, installed, sets[*set](), edit, *every)
	if err != nil {
		fmt.Fprintln(os.Stderr, "delivery:", err)
		os.Exit(1)
	}
	r.print(os.Stdout, *verbose)
	if len(r.costly()) > 0 {
		os.Exit(1)
	}
}

// editing returns an editor by the built-in rules, for mail of an authenticated user.
// anyCost says that an edit may cost something.
func editing(ctx context.Context, anyCost bool) (editor, error) {
	rules := rule.Builtin()
	for i := range rules {
		rules[i].NeutralOnly = !anyCost
	}
	f, err := filter.New(filter.Options{Rules: rules})
	if err != nil {
		return nil, err
	}
	user := envelope.Envelope{Sender: "marek.novak@example.org", Client: netip.MustParseAddr("127.0.0.1"), Authenticated: true}
	return func(_ string, raw []byte) ([]byte, error) {
		result := f.Message(ctx, user, raw)
		return result.Message(raw), nil
	}, nil
}

// keeping wraps edit so that each message is also written to folder, before and after the edit.
func keeping(folder string, edit editor) editor {
	return func(name string, raw []byte) ([]byte, error) {
		edited, err := edit(name, raw)
		if err == nil {
			err = errors.Join(os.WriteFile(filepath.Join(folder, name+".eml"), raw, 0o644), os.WriteFile(filepath.Join(folder, name+".edited.eml"), edited, 0o644))
		}
		return edited, err
	}
}
