package tlds

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/idna"
)

// A Resolver asks the DNS; [net.Resolver] implements it.
type Resolver interface {
	LookupNS(ctx context.Context, name string) ([]*net.NS, error)
}

// CheckerOptions configure a Checker. The zero value asks the resolver of the system, waits at most
// two seconds, and remembers 1,024 answers.
type CheckerOptions struct {
	Resolver Resolver      // nil: net.DefaultResolver
	Timeout  time.Duration // for one question; 0: two seconds
	Size     int           // number of answers to remember; 0: 1,024
}

const (
	defaultQuestionTime = 2 * time.Second
	defaultAnswers      = 1024

	// How long answers are remembered. A missing name may be delegated soon; an
	// existing one stays for years.
	rememberYes = 24 * time.Hour
	rememberNo  = time.Hour
)

// A Checker asks the DNS whether a top-level domain exists, that is, has name
// servers. Several goroutines may use it at once.
//
// Names inside an organisation, such as corp, exist if its resolver says so.
type Checker struct {
	resolver Resolver
	timeout  time.Duration
	size     int

	mu      sync.Mutex
	answers map[string]remembered
}

type remembered struct {
	exists bool
	until  time.Time
}

// NewChecker returns a Checker, or an error for negative options.
func NewChecker(o CheckerOptions) (*Checker, error) {
	if o.Timeout < 0 || o.Size < 0 {
		return nil, fmt.Errorf("DNS check of top-level domains: negative time limit %s or size %d", o.Timeout, o.Size)
	}
	c := &Checker{resolver: o.Resolver, timeout: o.Timeout, size: o.Size, answers: map[string]remembered{}}
	if c.resolver == nil {
		c.resolver = net.DefaultResolver
	}
	if c.timeout == 0 {
		c.timeout = defaultQuestionTime
	}
	if c.size == 0 {
		c.size = defaultAnswers
	}
	return c, nil
}

// Exists reports whether label, an A-label or U-label, is a top-level domain with
// name servers. It asks for valid labels only. An error means that the DNS gave no
// answer in time; it is not remembered.
func (c *Checker) Exists(ctx context.Context, label string) (bool, error) {
	name, err := toName(label)
	if err != nil {
		return false, nil
	}
	if exists, known := c.recall(name); known {
		return exists, nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	// The final dot keeps the resolver from adding a search domain.
	servers, err := c.resolver.LookupNS(ctx, name+".")
	if dns := (*net.DNSError)(nil); errors.As(err, &dns) && dns.IsNotFound {
		err, servers = nil, nil
	}
	if err != nil {
		return false, fmt.Errorf("DNS lookup of %s: %w", name, err)
	}
	c.remember(name, len(servers) > 0)
	return len(servers) > 0, nil
}

func (c *Checker) recall(name string) (exists, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a, known := c.answers[name]
	if known && time.Now().After(a.until) {
		delete(c.answers, name)
		return false, false
	}
	return a.exists, known
}

// remember keeps an answer. If there are too many, it drops a random other one, so
// that senders of names cannot choose which.
func (c *Checker) remember(name string, exists bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for other := range c.answers {
		if len(c.answers) < c.size {
			break
		}
		delete(c.answers, other)
	}
	span := rememberNo
	if exists {
		span = rememberYes
	}
	c.answers[name] = remembered{exists, time.Now().Add(span)}
}

// toName returns a label as A-label in lower case, or an error if it cannot be a
// top-level domain: RFC 3696 §2 requires a letter.
func toName(label string) (string, error) {
	name, err := idna.Lookup.ToASCII(label)
	if err != nil {
		return "", fmt.Errorf("not a label: %w", err)
	}
	if name == "" || len(name) > 63 || strings.Contains(name, ".") || strings.Trim(name, "0123456789") == "" {
		return "", errors.New("not the label of a top-level domain")
	}
	return name, nil
}
