// Command bench measures how fast linkmilter finds links, beside other link
// detectors and beside plain loops over the bytes, and prints a table:
//
//	go run . [-time 2s] [-size 4000000] [-linkify FOLDER -memchr FOLDER] [-corpora FOLDER]
//
// Peers in other languages are built in a temporary folder: linkify in Rust (cargo takes
// its source from the folders, or from the registry), RE2 (package libre2-dev of Debian)
// and linkify-it (`npm ci` in internal/test/linkify). The row of a missing one says why.
//
// With -scan it measures `linkmilter scan` over Maildirs, beside cat and xurls:
//
//	go run . -scan ../bin/linkmilter [-messages 20000] [-turns 5]
//
// All run in turns, on one processor, on the same messages. Processor time is measured,
// and of several passes the best counts, so that a busy machine disturbs little.
package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	budget := flag.Duration("time", 2*time.Second, "how long each detector is measured on each corpus")
	size := flag.Int("size", 4_000_000, "bytes of each corpus")
	folder := flag.String("corpora", "", "read the corpora from a.txt, b.txt and c.txt in this `folder`; a form feed and a newline separate messages")
	var from sources
	flag.StringVar(&from.linkify, "linkify", "", "`folder` with the source of Rust's linkify")
	flag.StringVar(&from.memchr, "memchr", "", "`folder` with the source of memchr, which linkify needs")
	program := flag.String("scan", "", "measure the command scan of this `program` instead")
	messages := flag.Int("messages", 20_000, "number of plain messages that are scanned")
	scanTurns := flag.Int("turns", 5, "how often each program scans them")
	inXURLs := flag.Bool("xurls", false, "find links in the files that are named; used by -scan")
	flag.Parse()
	if *inXURLs {
		exitOn(runXURLs(flag.Args()))
		return
	}
	if flag.NArg() > 0 || *size <= 0 || *budget <= 0 || *messages < 10*slowShare || *scanTurns <= 0 {
		flag.Usage()
		os.Exit(2)
	}
	if *program != "" {
		exitOn(runScan(os.Stdout, *program, *messages, *scanTurns))
		return
	}
	runtime.GOMAXPROCS(1)
	texts, err := readCorpora(*folder, *size)
	exitOn(err)
	exitOn(run(os.Stdout, *budget, texts, from))
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// turns is how often each detector is measured on each corpus.
const turns = 3

// A result is what a detector did on a corpus.
type result struct {
	took  time.Duration // the least of all passes
	links int
}

// run measures every detector and peer on every corpus in turns, and prints the table.
func run(out io.Writer, budget time.Duration, texts []corpus, from sources) error {
	all, err := detectors()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "bench-peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	others := peers(from)
	commands, missing, err := buildPeers(folder, others)
	if err != nil {
		return err
	}
	results := make([][]result, len(all)+len(others))
	for i := range results {
		results[i] = make([]result, len(texts))
	}
	for i, c := range texts {
		file := filepath.Join(folder, c.name+".txt")
		if err := os.WriteFile(file, []byte(strings.Join(c.messages, messageEnd)), 0o600); err != nil {
			return err
		}
		for range turns {
			for k, d := range all {
				results[k][i].keep(measure(d, c, budget/turns))
			}
			for k, command := range commands {
				if missing[k] != nil {
					continue
				}
				took, links, err := runPeer(command, file)
				if err != nil {
					return err
				}
				results[len(all)+k][i].keep(took, links)
			}
		}
	}
	fmt.Fprintf(out, "%s, %s/%s, one processor; MB/s, in parentheses the share of three IndexByte loops, then links\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprint(out, "| |")
	for _, c := range texts {
		fmt.Fprintf(out, " %s: %s |", c.name, c.about)
	}
	fmt.Fprint(out, "\n|---|---|---|---|\n")
	for k, d := range all {
		printRow(out, d.name, texts, results[k], results[0])
	}
	for k, p := range others {
		if missing[k] != nil {
			fmt.Fprintf(out, "| %s | missing: %v | | |\n", p.name, missing[k])
			continue
		}
		printRow(out, p.name, texts, results[len(all)+k], results[0])
	}
	return nil
}

// keep remembers a measurement if it is the first or took less time.
func (r *result) keep(took time.Duration, links int) {
	if r.took == 0 || took < r.took {
		r.took = took
	}
	r.links = links
}

// printRow prints the results of a detector on all corpora, beside the results of the limit.
func printRow(out io.Writer, name string, texts []corpus, results, limits []result) {
	fmt.Fprintf(out, "| %s |", name)
	for i, r := range results {
		fmt.Fprintf(out, " %s (%s) ", digits(float64(texts[i].size)/1e6/r.took.Seconds()), digits(limits[i].took.Seconds()/r.took.Seconds()))
		if r.links > 0 {
			fmt.Fprintf(out, "%d ", r.links)
		}
		fmt.Fprint(out, "|")
	}
	fmt.Fprintln(out)
}

// measure returns the least processor time that a detector takes for the corpus within the budget, and
// the number of links it finds.
func measure(d detector, c corpus, budget time.Duration) (best time.Duration, links int) {
	for end := time.Now().Add(budget); ; {
		begin := processorTime()
		links = 0
		for _, m := range c.messages {
			links += d.count(m)
		}
		if took := processorTime() - begin; best == 0 || took < best {
			best = took
		}
		if time.Now().After(end) {
			return best, links
		}
	}
}

// digits writes a number with three digits at least, and no exponent.
func digits(x float64) string {
	return strconv.FormatFloat(x, 'f', max(0, 2-int(math.Floor(math.Log10(x)))), 64)
}

// processorTime returns the time that this process has run.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err) // it cannot fail with these arguments
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
