package tlds

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/linkmilter/linkmilter/internal/fetch"
)

// TestUnknown: names that the DNS knows and the list lacks are added, and removed when the DNS does
// not know them any more.
func TestUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dns := &zone{names: map[string]bool{"corp": true, "xn--q9jyb4c3d": true}}
		checker, err := NewChecker(CheckerOptions{Resolver: dns})
		must(t, err)
		w := &wire{answer: upToDate}
		k, published := running(t, Options{DNS: checker}, w)
		for _, label := range []string{"CORP", "com", "zzzz", "みんな2", "not a label", "", "corp"} {
			k.Unknown(label)
		}
		synctest.Wait()
		if l := k.Current(); !l.Set.Contains("corp") || l.Set.Contains("zzzz") || !slices.Equal(l.Extra, []string{"corp"}) {
			t.Errorf("extra names %q", l.Extra)
		}
		if len(*published) != 1 || (*published)[0] != k.Current() {
			t.Errorf("%d publications", len(*published))
		}
		if slices.Contains(dns.questions(), "com.") {
			t.Error("the DNS was asked for a name of the list")
		}
		pass(3 * 24 * time.Hour)
		if !k.Current().Set.Contains("corp") || k.Current().Origin != OriginNetwork {
			t.Error("the name is gone after an update")
		}
		dns.set("corp", false)
		pass(3 * 24 * time.Hour)
		if k.Current().Set.Contains("corp") || len(*published) != 2 {
			t.Errorf("the name is still there; %d publications", len(*published))
		}
	})
}

// TestUnknownListed: a name that IANA's list gains is not an extra one any more.
func TestUnknownListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		checker, err := NewChecker(CheckerOptions{Resolver: &zone{names: map[string]bool{"linkmiltertest": true}}})
		must(t, err)
		w := &wire{answer: func() (int, []byte) { return http.StatusOK, listOf(time.Now(), withLine("LINKMILTERTEST")) }}
		k, published := running(t, Options{DNS: checker}, w)
		k.Unknown("linkmiltertest")
		pass(fetch.FirstWithin)
		if l := k.Current(); len(l.Extra) != 0 || !l.Set.Contains("linkmiltertest") || len(*published) != 1 {
			t.Errorf("extra names %q, %d publications", l.Extra, len(*published))
		}
	})
}

// TestUnknownIsBounded: senders choose the names, so they must not fill memory.
func TestUnknownIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dns := &zone{all: true}
		checker, err := NewChecker(CheckerOptions{Resolver: dns, Size: 100})
		must(t, err)
		w := &wire{answer: unreachable}
		k, _ := running(t, Options{DNS: checker}, w)
		for i := range 2000 {
			k.Unknown(fmt.Sprintf("name%d", i))
			if i%10 == 0 {
				synctest.Wait()
			}
		}
		synctest.Wait()
		if n := len(k.Current().Extra); n != maxExtra {
			t.Errorf("%d extra names, want %d", n, maxExtra)
		}
		if n := len(checker.answers); n > 100 {
			t.Errorf("%d answers remembered", n)
		}
	})
}

func TestUnknownWithoutDNS(t *testing.T) {
	k, err := Open(Options{File: newFile(t)})
	must(t, err)
	for range 2 * maxWaiting {
		k.Unknown("zzzz")
	}
	if len(k.unknown) != 0 {
		t.Error("a name waits although no goroutine asks")
	}
}
