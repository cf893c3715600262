//go:build linux

package e2e

import (
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"testing"
)

// Ports are taken from below Linux's default range of ephemeral ports, so
// that no outgoing connection takes one between the moment it was found
// free and the moment the server listens there.
const (
	firstPort = 20000
	lastPort  = 32000
)

var handedOut sync.Map // ports of this test binary, by number

// FreePort returns a TCP port of 127.0.0.1 on which nothing listens.
func FreePort(tb testing.TB) int {
	tb.Helper()
	for range 1000 {
		port := firstPort + rand.IntN(lastPort-firstPort)
		if _, taken := handedOut.LoadOrStore(port, true); taken {
			continue
		}
		l, err := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
		if err != nil {
			continue
		}
		l.Close()
		return port
	}
	tb.Fatal("no free port on 127.0.0.1")
	return 0
}
