package main

import (
	"bufio"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

//go:embed allowed
var allowedTable string

func main() {
	var o options
	flag.StringVar(&o.folder, "folder", "", "working `folder` with bin/reference and bin/present; what differs is kept there")
	flag.StringVar(&o.repo, "repo", ".", "`folder` whose testdata folders are read")
	flag.StringVar(&o.ucd, "ucd", os.Getenv("LINKMILTER_UCD"), "`folder` that holds 17.0.0/linkification, or its files")
	flag.IntVar(&o.count, "count", 5000, "generated messages, and as many generated links")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of what is generated")
	flag.IntVar(&o.show, "show", 10, "differences of each kind to show in full")
	flag.IntVar(&o.workers, "workers", 2, "processes at a time")
	flag.Parse()
	clean, err := run(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(2)
	}
	if !clean {
		os.Exit(1)
	}
}

// run compares the two builds and reports whether every difference is allowed.
func run(o options) (clean bool, err error) {
	if o.folder == "" {
		return false, errors.New("-folder: empty (want a folder with bin/reference and bin/present)")
	}
	table, err := parseAllowed(allowedTable)
	if err != nil {
		return false, err
	}
	if o.folder, err = filepath.Abs(o.folder); err != nil {
		return false, err
	}
	in, err := prepare(o)
	if err != nil {
		return false, err
	}
	r := &runner{folder: o.folder, progress: newProgress(os.Stderr)}
	if err := r.checkWays(in.rewrites); err != nil {
		return false, err
	}
	differences, err := r.all(jobs(in), o.workers)
	if err == nil {
		err = r.enough()
	}
	if err != nil {
		return false, err
	}
	for i := range differences {
		table.explain(r, &differences[i])
	}
	if err := keepDiffering(o.folder, differences); err != nil {
		return false, err
	}
	out := bufio.NewWriter(os.Stdout)
	clean = report(out, differences, in, o.show)
	fmt.Fprintf(out, "the reference edited %d of %d rewritten messages\n", r.edited.Load(), r.rewritten.Load())
	return clean, out.Flush()
}
