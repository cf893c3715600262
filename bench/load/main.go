//go:build linux

// Command load puts linkmilter under load and compares it with other milters. See -help.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Exit statuses.
const (
	exitHeld    = 0
	exitNotHeld = 1
	exitFailed  = 2
)

func main() {
	if address := os.Getenv(noopVariable); address != "" {
		fmt.Fprintln(os.Stderr, "load: no-op milter:", runNoop(address))
		os.Exit(exitFailed)
	}
	o, chosen, err := parse(os.Args[1:])
	switch {
	case errors.Is(err, flag.ErrHelp):
		usage(os.Stdout)
		return
	case err != nil:
		fmt.Fprintf(os.Stderr, "load: %v\nTry: go run ./load -help\n", err)
		os.Exit(exitFailed)
	}
	os.Exit(measure(o, chosen, os.Stdout))
}

// measure does the measurements that were chosen and returns the exit status.
func measure(o options, chosen []part, out io.Writer) (status int) {
	c := &command{out: os.Stderr}
	defer c.cleanUp()
	defer func() {
		if v := recover(); v != nil {
			if _, ours := v.(stopped); !ours {
				panic(v)
			}
			status = exitFailed
		}
	}()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		c.cleanUp()
		os.Exit(exitFailed)
	}()
	if o.binary == "" {
		o.binary = build(c)
	}
	r := &run{options: o, TB: c, out: out}
	for _, p := range chosen {
		fmt.Fprintf(out, "\n## %s: %s\n", p.name, p.about)
		p.measure(r)
	}
	fmt.Fprintln(out, "\n## Ratios")
	for _, v := range r.verdicts {
		fmt.Fprintf(out, "\n%s\n", v)
	}
	switch {
	case c.failed:
		return exitFailed
	case !r.held():
		return exitNotHeld
	}
	return exitHeld
}
