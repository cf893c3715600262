package tlds

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A zone is a DNS within the process.
type zone struct {
	mu    sync.Mutex
	names map[string]bool
	all   bool          // every name exists
	delay time.Duration // of an answer
	err   error
	asked []string
}

func (z *zone) set(name string, exists bool) {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.names[name] = exists
}

func (z *zone) questions() []string {
	z.mu.Lock()
	defer z.mu.Unlock()
	return slices.Clone(z.asked)
}

func (z *zone) LookupNS(ctx context.Context, name string) ([]*net.NS, error) {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.asked = append(z.asked, name)
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(z.delay):
	}
	switch {
	case z.err != nil:
		return nil, z.err
	case z.all || z.names[strings.TrimSuffix(name, ".")]:
		return []*net.NS{{Host: "ns." + name}}, nil
	}
	return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
}

func TestChecker(t *testing.T) {
	tests := []struct {
		name, label string
		want        bool
		asked       string // "": not asked
	}{
		{"there", "com", true, "com."},
		{"there, in capitals", "COM", true, "com."},
		{"U-label", "рф", true, "xn--p1ai."},
		{"A-label", "xn--p1ai", true, "xn--p1ai."},
		{"not there", "zzzz", false, "zzzz."},
		{"empty", "", false, ""},
		{"the root", ".", false, ""},
		{"two labels", "co.uk", false, ""},
		{"a number", "123", false, ""},
		{"too long", strings.Repeat("a", 64), false, ""},
		{"an underscore", "a_b", false, ""},
		{"a broken A-label", "xn--99999999", false, ""},
		{"a space", "c om", false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dns := &zone{names: map[string]bool{"com": true, "xn--p1ai": true}}
			c, err := NewChecker(CheckerOptions{Resolver: dns})
			must(t, err)
			for range 3 {
				if got, err := c.Exists(t.Context(), tt.label); got != tt.want || err != nil {
					t.Errorf("Exists(%q) = %t, %v", tt.label, got, err)
				}
			}
			var want []string
			if tt.asked != "" {
				want = []string{tt.asked}
			}
			if !slices.Equal(dns.questions(), want) {
				t.Errorf("asked for %q, want %q", dns.questions(), want)
			}
		})
	}
}

// TestCheckerRemembers: the checker remembers for an hour that a name does not exist, and for a day
// that it does.
func TestCheckerRemembers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dns := &zone{names: map[string]bool{"com": true}}
		c, err := NewChecker(CheckerOptions{Resolver: dns})
		must(t, err)
		for range 30 * 60 {
			for _, label := range []string{"com", "zzzz"} {
				_, err := c.Exists(t.Context(), label)
				must(t, err)
			}
			time.Sleep(time.Minute)
		}
		counts := map[string]int{}
		for _, name := range dns.questions() {
			counts[name]++
		}
		if counts["com."] != 2 || counts["zzzz."] < 28 || counts["zzzz."] > 30 {
			t.Errorf("questions in 30 hours: %v", counts)
		}
	})
}

// TestCheckerTimeLimit: no answer in time is an error, which is not remembered.
func TestCheckerTimeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dns := &zone{names: map[string]bool{"com": true}, delay: time.Minute}
		c, err := NewChecker(CheckerOptions{Resolver: dns})
		must(t, err)
		start := time.Now()
		if _, err := c.Exists(t.Context(), "com"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		if took := time.Since(start); took != defaultQuestionTime {
			t.Errorf("it took %s", took)
		}
		dns.delay = 0
		if exists, err := c.Exists(t.Context(), "com"); !exists || err != nil {
			t.Errorf("later: %t, %v", exists, err)
		}
	})
}

func TestCheckerServerFailure(t *testing.T) {
	dns := &zone{err: &net.DNSError{Err: "server misbehaving", IsTemporary: true}}
	c, err := NewChecker(CheckerOptions{Resolver: dns})
	must(t, err)
	for range 2 {
		if exists, err := c.Exists(t.Context(), "com"); exists || err == nil || !strings.Contains(err.Error(), "DNS lookup of com") {
			t.Errorf("%t, %v", exists, err)
		}
	}
	if len(dns.questions()) != 2 {
		t.Errorf("%d questions: a failure was remembered", len(dns.questions()))
	}
}

func TestCheckerOptions(t *testing.T) {
	for _, o := range []CheckerOptions{{Timeout: -1}, {Size: -1}} {
		if _, err := NewChecker(o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}
