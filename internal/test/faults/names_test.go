//go:build linux

package faults

import (
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/tlds"
)

// nameServer serves the list of top-level domains, well or badly.
type nameServer struct {
	url         string
	certificate string // file
	way         atomic.Int32
	asked       [len(namesWays)]atomic.Int64
}

// namesWays are the ways to serve the list.
var namesWays = [...]string{"good", "failing", "slow", "cut", "too few names", "too large", "garbage"}

// startNameServer starts a server, which ends with the test. dir gets its certificate.
func startNameServer(tb testing.TB, dir string) *nameServer {
	tb.Helper()
	s := &nameServer{certificate: filepath.Join(dir, "ca.pem")}
	s.way.Store(1) // linkmilter asks again soon after a failure only
	server := httptest.NewTLSServer(http.HandlerFunc(s.serve))
	tb.Cleanup(server.Close)
	s.url = server.URL + "/tlds.txt"
	data := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(s.certificate, data, 0o600); err != nil {
		tb.Fatal(err)
	}
	return s
}

func (s *nameServer) serve(w http.ResponseWriter, r *http.Request) {
	way := s.way.Load()
	s.asked[way].Add(1)
	list := goodList()
	switch namesWays[way] {
	case "good":
		_, _ = io.WriteString(w, list)
	case "failing":
		http.Error(w, "no", http.StatusInternalServerError)
	case "slow":
		for i := range list {
			_, _ = io.WriteString(w, list[i:i+1])
			_ = http.NewResponseController(w).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	case "cut":
		w.Header().Set("Content-Length", fmt.Sprint(len(list)))
		_, _ = io.WriteString(w, list[:len(list)/2])
	case "too few names":
		_, _ = io.WriteString(w, strings.Join(strings.SplitAfter(list, "\n")[:50], ""))
	case "too large":
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, list); err != nil {
				return
			}
		}
	case "garbage":
		_, _ = io.WriteString(w, "<html>Log in to use the network</html>\x00\xff")
	}
}

// goodList is the built-in list as IANA writes it.
func goodList() string {
	builtin := tlds.Builtin()
	var b strings.Builder
	fmt.Fprintf(&b, "# Version %s, Last Updated %s\n", builtin.Updated.UTC().Format("2006010200"), builtin.Updated.UTC().Format("Mon Jan  2 15:04:05 2006 MST"))
	for name := range builtin.Set.All() {
		b.WriteString(strings.ToUpper(name) + "\n")
	}
	return b.String()
}
