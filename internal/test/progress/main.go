// Command progress runs `go test` with its arguments and says how far it is: a line for each
// package as soon as it ends, and at the end what was skipped, and why. Where nothing ends for
// a while it names the tests that run. `go test` itself keeps the result of a package back
// until all before it have ended, and does not name what is skipped.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// quiet is how long nothing may end until progress names what runs.
const quiet = 20 * time.Second

func main() {
	cmd := exec.Command("go", append([]string{"test", "-json"}, os.Args[1:]...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "progress:", err)
		os.Exit(2)
	}
	r := newReport(os.Stdout)
	r.read(out)
	err = cmd.Wait()
	r.end()
	if err != nil {
		os.Exit(1)
	}
}

// An event is a line of `go test -json`.
type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

// A test is a test of a package, or the package itself under the name "".
type test struct{ pkg, name string }

// A report writes what events say.
type report struct {
	w       io.Writer
	output  map[test][]string // of tests that have not passed
	running map[test]bool
	failed  []test
	skipped map[string]int // reasons, with the number of tests
	ended   int            // packages
	start   time.Time
}

func newReport(w io.Writer) *report {
	return &report{w: w, output: make(map[test][]string), running: make(map[test]bool), skipped: make(map[string]int), start: time.Now()}
}

// read reports the events of r until it ends.
func (r *report) read(in io.Reader) {
	lines := make(chan []byte)
	go func() {
		defer close(lines)
		s := bufio.NewScanner(in)
		s.Buffer(nil, 64<<20)
		for s.Scan() {
			lines <- slices.Clone(s.Bytes())
		}
	}()
	idle := time.NewTimer(quiet)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				return
			}
			ended := r.ended
			if r.line(line); r.ended > ended {
				idle.Reset(quiet)
			}
		case <-idle.C:
			r.stillRuns()
			idle.Reset(quiet)
		}
	}
}

// line reports one line. What is not JSON is of the compiler, and shown as it is.
func (r *report) line(line []byte) {
	var e event
	if json.Unmarshal(line, &e) != nil {
		fmt.Fprintf(r.w, "%s\n", line)
		return
	}
	at := test{e.Package, e.Test}
	switch e.Action {
	case "run":
		r.running[at] = true
	case "output":
		r.output[at] = append(r.output[at], e.Output)
	case "build-output":
		fmt.Fprint(r.w, e.Output)
	case "pass", "fail", "skip":
		r.ends(at, e)
	}
}

// ends reports the end of a test or a package.
func (r *report) ends(at test, e event) {
	delete(r.running, at)
	text := r.output[at]
	delete(r.output, at)
	switch {
	case at.name == "":
		r.ended++
		if e.Action != "skip" { // a package without tests
			fmt.Fprintf(r.w, "%4s  %6.1fs  %s\n", cmp.Or(map[string]string{"pass": "ok"}[e.Action], "FAIL"), e.Elapsed, at.pkg)
		}
		if e.Action == "fail" {
			r.failed = append(r.failed, at)
			r.show(text)
		}
	case e.Action == "fail":
		r.failed = append(r.failed, at)
		r.show(text)
	case e.Action == "skip":
		r.skipped[reasonOf(text)]++
	}
}

// show writes the output of a test.
func (r *report) show(output []string) {
	fmt.Fprint(r.w, strings.Join(output, ""))
}

// reasonOf returns why a test was skipped, by its output.
func reasonOf(output []string) string {
	for _, line := range slices.Backward(output) {
		if place, reason, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && strings.Contains(place, ".go:") {
			return reason
		}
	}
	return "no reason given"
}

// stillRuns names the tests that run.
func (r *report) stillRuns() {
	var names []string
	for t := range r.running {
		if !strings.Contains(t.name, "/") {
			names = append(names, t.pkg[strings.LastIndexByte(t.pkg, '/')+1:]+"."+t.name)
		}
	}
	slices.Sort(names)
	fmt.Fprintf(r.w, "      %6.0fs  … %s\n", time.Since(r.start).Seconds(), cmp.Or(strings.Join(names[:min(len(names), 4)], ", "), "building"))
}

// end names what was skipped and what failed.
func (r *report) end() {
	for _, reason := range slices.Sorted(maps.Keys(r.skipped)) {
		fmt.Fprintf(r.w, "skipped %d: %s\n", r.skipped[reason], reason)
	}
	for _, t := range r.failed {
		fmt.Fprintf(r.w, "FAILED %s %s\n", t.pkg, t.name)
	}
	fmt.Fprintf(r.w, "%d packages in %.0f s, %d failures\n", r.ended, time.Since(r.start).Seconds(), len(r.failed))
}
