package engine

import (
	"strings"
	"testing"
	"time"

	loadtest "github.com/linkmilter/linkmilter/internal/test/load"
	"github.com/linkmilter/linkmilter/internal/test/long"
)

// TestFormsLinear: the processor time for the forms of a link grows linearly with its length. In
// quadratic time, each of these links would take hours.
func TestFormsLinear(t *testing.T) {
	n := long.Rows(200_000, 20_000)
	for _, unit := range []string{
		"/", "/..", "/a/..", "%C3%A9", "%EF%BC%88", "%EF%BC%88%EF%BC%89", "(", "e%CC%81", "%CC%81",
		"%E2%80%8C", "%D9%84%D9%8E", "%E3%83%8E", ":~:%2C", "%", "é\u200c", "%1", "&%EF%BC%88", "%E1%85%A1",
	} {
		for _, start := range []string{"https://a.de/", "https://a.de/?", "https://a.de/#"} {
			text := start + strings.Repeat(unit, n)
			l, err := ParseLink(text)
			if err != nil {
				t.Fatal(err)
			}
			begin := loadtest.CPU(t)
			l.Href()
			l.Readable(HostUnicode)
			l.Components()
			if _, err := Format(text); err != nil {
				t.Error(err)
			}
			if d := loadtest.CPU(t) - begin; d > 10*time.Second {
				t.Errorf("%d times %q after %s: %v", n, unit, start, d)
			}
		}
	}
}

// TestHostLinear: a host of any length is mapped or refused in linear time.
func TestHostLinear(t *testing.T) {
	for _, label := range []string{"ü", "xn--", "xn--bcher-kva", "\u00ad", "%C3%BC", "1.", "a.", "ü.", "[", ":"} {
		host := strings.Repeat(label, 200_000)
		begin := loadtest.CPU(t)
		ascii, err := hostToASCII(host)
		if err == nil && len(ascii) > maxHost {
			t.Errorf("a host of %d bytes was accepted", len(ascii))
		}
		if d := loadtest.CPU(t) - begin; d > 10*time.Second {
			t.Errorf("%q: %v", label, d)
		}
	}
}
