package tlds

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/engine/tld"
)

// day is the date of the first list of the tests. Lists older than the built-in one are refused.
var day = Builtin().Updated

// names returns the built-in names in capitals, as IANA writes them.
func names() []string {
	list := slices.Sorted(tld.Builtin().All())
	for i := range list {
		list[i] = strings.ToUpper(list[i])
	}
	return list
}

// listOf returns a list as IANA writes it.
func listOf(updated time.Time, names []string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Version %s00, Last Updated %s\n", updated.Format("20060102"), updated.UTC().Format(headerTime))
	for _, name := range names {
		b.WriteString(name + "\n")
	}
	return b.Bytes()
}

// A site is a server with the list. It sends an ETag and a date, and answers 304 to a client that
// has the list.
type site struct {
	*httptest.Server
	mu       sync.Mutex
	text     []byte
	etag     string
	modified time.Time
	statuses []int // what was answered, in order
}

func newSite(t testing.TB, text []byte) *site {
	t.Helper()
	s := &site{}
	s.set(text, `"one"`)
	s.Server = httptest.NewTLSServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *site) set(text []byte, etag string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text, s.etag = text, etag
	s.modified = s.modified.Add(time.Hour)
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("ETag", s.etag)
	recorder := &statusWriter{ResponseWriter: w, status: http.StatusOK}
	http.ServeContent(recorder, r, "list.txt", s.modified, bytes.NewReader(s.text))
	s.statuses = append(s.statuses, recorder.status)
}

func (s *site) answered() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.statuses)
}

type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// open returns a Keeper of a server and a file.
func open(t testing.TB, server *httptest.Server, file string) *Keeper {
	t.Helper()
	k, err := Open(Options{URL: server.URL, File: file, Transport: server.Client().Transport})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// newFile returns the path of a cache file that does not exist, in a folder
// that does not exist either.
func newFile(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "cache", fileName)
}
