//go:build linux

package e2e

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/internal/test/letters"
)

// TestDryRun sends mail through a service with dry_run, whose rules would edit, sign and refuse it.
// Each message arrives as without linkmilter, and the log says what would have been done.
func TestDryRun(t *testing.T) {
	onEach(t, func(t *testing.T, kind kind) {
		file, _ := startDKIM(t)
		addr := freeMilter(t)
		server := kind.start(t, Listener{Name: "plain"}, Listener{Name: "filtered", Milter: addr})
		linkmilter := Serve(t, addr, nil, "--config", signingConfig(t, file, "", "[service]", "dry_run = true",
			"[[rule]]", `name = "own"`, `when.client = ["127.0.0.1"]`, "trusted = true", `html = "needed"`, `plain = "readable"`, `on = { high = "reject", medium = "quarantine", low = "tag" }`))
		linkmilter.WaitLog(t, "level=WARN", "service.dry_run: true: linkmilter changes no message")
		check := func(message []byte, want ...string) {
			t.Helper()
			env := Envelope{From: server.NewAddress(t), Params: "BODY=8BITMIME"}
			without := deliver(t, server, "plain", env, message)
			with, id := send(t, Dial(t, server.Addr("filtered")), server, env, message)
			if diff := cmp.Diff(strings.Join(without.Header, "")+without.Body, strings.Join(with.Header, "")+with.Body); diff != "" {
				t.Errorf("changed:\n%s", diff)
			}
			linkmilter.WaitLog(t, append(want, "queue_id="+id, "dry_run=true")...)
		}
		for _, letter := range letters.Rotation(t, Domain) {
			if !letter.UTF8 {
				check(letter.Message)
			}
		}
		check(compose(textPlain, linkText), "would_edit=true", "edited=false")
		check(compose(textPlain, spoofedText), "action=reject", "because=")
		if waiting := server.Quarantined(t); len(waiting) > 0 {
			t.Errorf("held: %q", waiting)
		}
	})
}
