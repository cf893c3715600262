//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"testing"
)

// A command is the testing.TB of a run outside go test: helpers for tests, such as those that
// start Postfix, then work here, too.
type command struct {
	testing.TB // nil: methods that are not below are not called
	out        io.Writer

	mu       sync.Mutex
	cleanups []func()
	failed   bool
}

// stopped is the panic that ends the run, as runtime.Goexit ends a test.
type stopped struct{}

func (c *command) Helper()      {}
func (c *command) Failed() bool { return c.failed }
func (c *command) Fail()        { c.failed = true }

func (c *command) FailNow() {
	c.failed = true
	panic(stopped{})
}

func (c *command) Log(args ...any)                 { fmt.Fprintln(c.out, append([]any{"load:"}, args...)...) }
func (c *command) Logf(format string, args ...any) { c.Log(fmt.Sprintf(format, args...)) }

func (c *command) Error(args ...any) {
	c.Log(args...)
	c.Fail()
}

func (c *command) Errorf(format string, args ...any) { c.Error(fmt.Sprintf(format, args...)) }

func (c *command) Fatal(args ...any) {
	c.Log(args...)
	c.FailNow()
}

func (c *command) Fatalf(format string, args ...any) { c.Fatal(fmt.Sprintf(format, args...)) }

// Skipf is called when a program is missing: without it there is nothing to compare with.
func (c *command) Skipf(format string, args ...any) {
	c.Fatal(fmt.Sprintf(format, args...) + " (-peers leaves out a peer)")
}

func (c *command) Context() context.Context { return context.Background() }

func (c *command) TempDir() string {
	dir, err := os.MkdirTemp("", "load-")
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func (c *command) Cleanup(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cleanups = append(c.cleanups, f)
}

// cleanUp runs the cleanups, the last first.
func (c *command) cleanUp() {
	c.mu.Lock()
	cleanups := c.cleanups
	c.cleanups = nil
	c.mu.Unlock()
	for _, f := range slices.Backward(cleanups) {
		f()
	}
}
