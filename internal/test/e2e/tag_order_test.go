//go:build linux

package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestTagsInOrder: with each mail server, the summary comes before the findings, and the worst
// finding first, also if a foreign field of that name is in the header.
func TestTagsInOrder(t *testing.T) {
	const text = "see https://example.com/%61%62%63%64%65%66%67%68 and http://192.0.2.1/ and https://аррӏе.com/ and https://user@example.org/ please\r\n"
	onEach(t, func(t *testing.T, kind kind) {
		config := filepath.Join(tempDir(t), "linkmilter.toml")
		writeFile(t, config, "[[rule]]\nname = \"all\"\non = { low = \"tag\" }\n", 0o644)
		addr := freeMilter(t)
		server := kind.start(t, Listener{Name: "plain"}, Listener{Name: "filtered", Milter: addr})
		Serve(t, addr, nil, "--config", config)
		for _, foreign := range [][]string{nil, {"X-Linkmilter-Finding: mx.elsewhere.example; code=partial; severity=low"}} {
			got := deliver(t, server, "filtered", Envelope{Params: "BODY=8BITMIME"}, compose(textPlain, text, foreign...))
			var names, severities []string
			for _, field := range got.Header {
				if name, value, _ := strings.Cut(field, ":"); strings.HasPrefix(name, "X-Linkmilter") && !strings.Contains(value, "elsewhere") {
					names = append(names, name)
					if _, rest, found := strings.Cut(value, "severity="); found {
						severity, _, _ := strings.Cut(rest, ";")
						severities = append(severities, severity)
					}
				}
			}
			if len(names) < 4 || names[0] != "X-Linkmilter" || len(severities) != len(names)-1 {
				t.Fatalf("tags %q, severities %q:\n%s", names, severities, strings.Join(got.Header, ""))
			}
			rank := map[string]int{"high": 0, "medium": 1, "low": 2, "info": 3}
			for i := range severities[1:] {
				if rank[severities[i]] > rank[severities[i+1]] {
					t.Errorf("severities %q, want the worst first", severities)
				}
			}
			if severities[0] == severities[len(severities)-1] {
				t.Errorf("all findings have one severity: %q", severities)
			}
		}
	})
}
