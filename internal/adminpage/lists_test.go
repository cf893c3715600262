package adminpage

import (
	"regexp"
	"testing"

	"github.com/linkmilter/linkmilter/internal/dnslist"
)

// TestListsInTheDNS: the page shows what block lists in the DNS answered, and that one is not asked.
func TestListsInTheDNS(t *testing.T) {
	p, _ := newTestPage(t, 10)
	row := regexp.MustCompile(`<td>dbl</td>(<td class="number">\d+</td>){5}<td>`)
	if body := get(p, "/lists").Body.String(); row.MatchString(body) {
		t.Errorf("a row without a list: %s", body)
	}
	p.options.DNSLists = func() []dnslist.State {
		return []dnslist.State{{Name: "dbl", Counts: map[dnslist.Result]uint64{dnslist.ResultListed: 3, dnslist.ResultRefused: 7}, Paused: true}}
	}
	want := regexp.MustCompile(`<td>dbl</td><td class="number">3</td>(<td class="number">0</td>){2}<td class="number">7</td><td class="number">0</td><td>paused`)
	if body := get(p, "/lists").Body.String(); !want.MatchString(body) {
		t.Errorf("%s", body)
	}
}
