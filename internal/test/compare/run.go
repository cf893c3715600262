package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// processTimeout bounds one process, so that a build that hangs ends the run.
const processTimeout = 2 * time.Minute

// The two builds, as paths in the working folder.
const (
	reference = "bin/reference"
	present   = "bin/present"
)

type runner struct {
	folder   string
	progress *progress

	rewritten, edited atomic.Int64 // messages, by the reference
}

// count counts the messages that the reference edits: where it does nothing, a
// comparison says nothing.
func (r *runner) count(j job, old outcome) {
	if j.command != "rewrite" {
		return
	}
	r.rewritten.Add(1)
	if bytes.Contains(old.stderr, []byte(": edited: ")) {
		r.edited.Add(1)
	}
}

// enough returns an error where too few messages were edited.
func (r *runner) enough() error {
	if edited, all := r.edited.Load(), r.rewritten.Load(); edited < all/10 {
		return fmt.Errorf("the reference edited %d of %d messages: too few to compare", edited, all)
	}
	return nil
}

// checkWays returns an error for a configuration that the reference refuses.
func (r *runner) checkWays(ways []rewriteWay) error {
	for _, w := range ways {
		if w.config == "" {
			continue
		}
		result, err := r.run(reference, []string{"check-config", w.config}, nil)
		if err != nil {
			return err
		}
		if result.exit != 0 {
			return fmt.Errorf("configuration %q: refused by the reference: %s", w.config, result.stderr)
		}
	}
	return nil
}

// run runs a job in the working folder, with an environment in which no
// configuration or cache of the user is found.
func (r *runner) run(binary string, args []string, stdin []byte) (outcome, error) {
	ctx, cancel := context.WithTimeout(context.Background(), processTimeout)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, filepath.Join(r.folder, binary), args...)
	cmd.Dir = r.folder
	cmd.Env = []string{"HOME=" + r.folder, "PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8", "TZ=UTC"}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return outcome{}, fmt.Errorf("%s: %w", binary, err)
	}
	return outcome{stdout.Bytes(), stderr.Bytes(), cmd.ProcessState.ExitCode()}, nil
}

// compare runs a job with both builds. A job that differs is halved until each
// differing item is alone. Where only the whole differs, the whole is the difference.
func (r *runner) compare(j job) ([]difference, error) {
	var both [2]outcome
	for i, binary := range []string{reference, present} {
		var err error
		if both[i], err = r.run(binary, j.args(), j.stdin()); err != nil {
			return nil, err
		}
	}
	r.count(j, both[0])
	changes := changesBetween(j, both[0], both[1])
	if len(changes) == 0 {
		return nil, nil
	}
	if len(j.items) > 1 {
		var found []difference
		half := len(j.items) / 2
		for _, part := range []job{j.part(0, half), j.part(half, len(j.items))} {
			more, err := r.compare(part)
			if err != nil {
				return nil, err
			}
			found = append(found, more...)
		}
		if len(found) > 0 {
			return found, nil
		}
	}
	return []difference{{job: j, input: r.input(j), old: both[0], new: both[1], changes: changes}}, nil
}

// input returns the bytes that a job reads.
func (r *runner) input(j job) []byte {
	if j.lines {
		return j.stdin()
	}
	var all []byte
	for _, it := range j.items {
		raw, _ := os.ReadFile(filepath.Join(r.folder, it.name))
		all = append(all, raw...)
	}
	return all
}

// all runs the jobs, workers at a time, and returns the differences in the
// order of the jobs.
func (r *runner) all(jobs []job, workers int) ([]difference, error) {
	found := make([][]difference, len(jobs))
	errs := make([]error, len(jobs))
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() {
			for i := range next {
				found[i], errs[i] = r.compare(jobs[i])
				r.progress.step(i, len(jobs), jobs[i].class())
			}
		})
	}
	for i := range jobs {
		next <- i
	}
	close(next)
	wg.Wait()
	r.progress.done()
	var all []difference
	for _, differences := range found {
		all = append(all, differences...)
	}
	return all, errors.Join(errs...)
}

// runWith runs the reference on another input in place of a job's only item. It is
// not for use while other jobs run.
func (r *runner) runWith(j job, input []byte) (result outcome, err error) {
	if j.lines {
		return r.run(reference, j.args(), input)
	}
	path := filepath.Join(r.folder, j.items[0].name)
	before, err := os.ReadFile(path)
	if err != nil {
		return outcome{}, err
	}
	defer func() { err = errors.Join(err, os.WriteFile(path, before, 0o600)) }()
	if err := os.WriteFile(path, input, 0o600); err != nil {
		return outcome{}, err
	}
	return r.run(reference, j.args(), nil)
}
