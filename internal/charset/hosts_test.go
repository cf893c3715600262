package charset

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// hostsIn counts the hosts of a content, and returns the error that comes last.
func hostsIn(ctx context.Context, content string, most int) (hosts int, err error) {
	limits := HostLimits{Most: most, IsTop: func(label string) bool { return label == "de" }}
	for _, err = range Hosts(ctx, "", []byte(content), limits) {
		if err == nil {
			hosts++
		}
	}
	return hosts, err
}

// TestMostHosts: a host counts once, whatever the number of its places and of the charsets.
func TestMostHosts(t *testing.T) {
	var many strings.Builder
	for i := range 5 {
		fmt.Fprintf(&many, "m\xfcller%d.de ", i)
	}
	for _, test := range []struct {
		content string
		tooMany bool
	}{
		{strings.Repeat("m\xfcller.de ", 10_000), false},
		{strings.Repeat("Pr\xfcfung.docx ", 10_000), false},
		{many.String(), false},
		{many.String() + "k\xf6ln.de", true},
	} {
		if _, err := hostsIn(t.Context(), test.content, 5); errors.Is(err, ErrTooManyHosts) != test.tooMany {
			t.Errorf("%.40q: %v", test.content, err)
		}
	}
}

// TestHostsEnd: the search ends with the context, also where no host is.
func TestHostsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, content := range []string{strings.Repeat("\xfc ", meter.Every), strings.Repeat("x ", meter.Every) + "\xfc"} {
		if _, err := hostsIn(ctx, content, 5); !errors.Is(err, context.Canceled) {
			t.Errorf("%.10q: %v", content, err)
		}
	}
}
