// Command bench measures how fast linkmilter finds links, beside other link
// detectors in Go and beside plain loops over the bytes, and prints a table:
//
//	go run . [-time 2s] [-size 4000000]
//
// With -scan it measures `linkmilter scan` over Maildirs, beside cat and xurls:
//
//	go run . -scan ../bin/linkmilter [-messages 20000] [-turns 5]
//
// All run on one processor on the same messages. Processor time is measured,
// and of several passes the best counts, so that a busy machine disturbs
// little.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

func main() {
	budget := flag.Duration("time", 2*time.Second, "how long each detector is measured on each corpus")
	size := flag.Int("size", 4_000_000, "bytes of each corpus")
	program := flag.String("scan", "", "measure the command scan of this `program` instead")
	messages := flag.Int("messages", 20_000, "number of plain messages that are scanned")
	turns := flag.Int("turns", 5, "how often each program scans them")
	inXURLs := flag.Bool("xurls", false, "find links in the files that are named; used by -scan")
	flag.Parse()
	if *inXURLs {
		exitOn(runXURLs(flag.Args()))
		return
	}
	if flag.NArg() > 0 || *size <= 0 || *budget <= 0 || *messages < 10*slowShare || *turns <= 0 {
		flag.Usage()
		os.Exit(2)
	}
	if *program != "" {
		exitOn(runScan(os.Stdout, *program, *messages, *turns))
		return
	}
	runtime.GOMAXPROCS(1)
	exitOn(run(*budget, *size))
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run measures every detector on every corpus and prints the table.
func run(budget time.Duration, size int) error {
	all, err := detectors()
	if err != nil {
		return err
	}
	fmt.Printf("%s, %s/%s, one processor; MB/s, in parentheses the share of three IndexByte loops, then links\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Print("| |")
	var texts []corpus
	for _, c := range corpora {
		texts = append(texts, c.make(size))
		fmt.Printf(" %s: %s |", c.name, c.about)
	}
	fmt.Print("\n|---|---|---|---|\n")
	limits := make([]float64, len(texts))
	for _, d := range all {
		fmt.Printf("| %s |", d.name)
		for i, c := range texts {
			speed, links := measure(d, c, budget)
			if d.name == limitName {
				limits[i] = speed
			}
			fmt.Printf(" %s (%s) ", digits(speed), digits(speed/limits[i]))
			if links > 0 {
				fmt.Printf("%d ", links)
			}
			fmt.Print("|")
		}
		fmt.Println()
	}
	return nil
}

// measure returns the speed of a detector in megabytes (10⁶ bytes) a second,
// and the number of links it finds in the corpus.
func measure(d detector, c corpus, budget time.Duration) (speed float64, links int) {
	best := time.Duration(0)
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
			return float64(c.size) / 1e6 / best.Seconds(), links
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
