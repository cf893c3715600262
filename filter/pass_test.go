package filter_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
)

// TestReportKeepsItsLinks: a report keeps its links when the next message uses the memory of the
// pass again, whatever their number.
func TestReportKeepsItsLinks(t *testing.T) {
	f := newFilter(t, filter.Options{})
	scan := func(host string, n int) []string {
		report := f.Scan([]byte("Content-Type: text/plain\n\n" + strings.Repeat("http://"+host+".example.org/\n", n)))
		other := f.Scan([]byte("Content-Type: text/plain\n\n" + strings.Repeat("http://other.example.org/\n", n+1)))
		if len(other.Links) != n+1 {
			t.Errorf("%d links after %s", len(other.Links), host)
		}
		var hosts []string
		for _, link := range report.Links {
			hosts = append(hosts, link.Link.ASCIIHost())
		}
		return hosts
	}
	for _, n := range []int{0, 1, 7, 200, 2} {
		host := fmt.Sprint("n", n)
		got := strings.Join(scan(host, n), " ")
		if want := strings.TrimSpace(strings.Repeat(host+".example.org ", n)); got != want {
			t.Errorf("%d links: got %s", n, got)
		}
	}
}
