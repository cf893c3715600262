package admin

import (
	"crypto/sha256"
	"crypto/subtle"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"golang.org/x/crypto/bcrypt"
)

// A client may fail maxFailures times in failureTime. After that, its passwords are not checked
// until the time is over.
const (
	maxFailures = 5
	failureTime = time.Minute
	maxClients  = 1000 // clients whose failures are remembered
)

// login passes on only requests that have the password.
type login struct {
	hash []byte // bcrypt
	log  *slog.Logger
	now  func() time.Time
	next http.Handler

	mu       sync.Mutex // also held while passwords are compared: one at a time
	right    *[32]byte  // hash of the last correct password, because bcrypt is slow by design
	failures map[string]*failed
}

// failed counts the wrong passwords of a client since a time.
type failed struct {
	count int
	since time.Time
}

// newLogin returns next behind a password with this bcrypt hash.
func newLogin(hash string, log *slog.Logger, next http.Handler) *login {
	return &login{hash: []byte(hash), log: log, now: time.Now, next: next, failures: make(map[string]*failed)}
}

func (l *login) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, password, given := r.BasicAuth()
	switch wait, ok := l.check(clientOf(r), password, given); {
	case ok:
		l.next.ServeHTTP(w, r)
	case wait > 0:
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
		http.Error(w, "too many wrong passwords: try again later", http.StatusTooManyRequests)
	default:
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("WWW-Authenticate", `Basic realm="linkmilter", charset="UTF-8"`)
		http.Error(w, "the password of admin.password is needed; any user name will do", http.StatusUnauthorized)
	}
}

// check reports whether a client has the password, or how long it must wait for the next
// comparison.
func (l *login) check(client, password string, given bool) (wait time.Duration, ok bool) {
	if !given {
		return 0, false // a browser's first request
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	before := l.failures[client]
	if before != nil && now.Sub(before.since) >= failureTime {
		delete(l.failures, client)
		before = nil
	}
	if before != nil && before.count >= maxFailures {
		return before.since.Add(failureTime).Sub(now), false
	}
	sum := sha256.Sum256([]byte(password))
	if l.right != nil && subtle.ConstantTimeCompare(l.right[:], sum[:]) == 1 {
		return 0, true
	}
	if bcrypt.CompareHashAndPassword(l.hash, []byte(password)) == nil {
		l.right = &sum
		return 0, true
	}
	if before == nil {
		if len(l.failures) >= maxClients {
			clear(l.failures)
		}
		before = &failed{since: now}
		l.failures[client] = before
	}
	before.count++
	l.log.Warn("login failed", "client", client, "failures", before.count)
	return 0, false
}

// clientOf returns the network of a client, or "local" for one of a Unix socket. Whoever has one
// IPv6 address has all of its /64.
func clientOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return "local"
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if address = address.Unmap().WithZone(""); address.Is4() {
		return address.String()
	}
	prefix, _ := address.Prefix(64) // of an IPv6 address
	return prefix.String()
}
