//go:build linux

package e2e

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	docs "github.com/linkmilter/linkmilter/internal/test/manual"
)

// TestPostfixSettingsOfManual: Postfix knows each setting that the documents give it.
func TestPostfixSettingsOfManual(t *testing.T) {
	t.Parallel()
	server := StartPostfix(t, Listener{Name: "plain"})
	setting := regexp.MustCompile(`(?m)^(?:\s+-o )?([a-z0-9_]+) ?=`)
	lines := map[string]string{}
	for _, d := range docs.All(t) {
		for _, block := range d.Blocks("postfix") {
			for _, match := range setting.FindAllStringSubmatch(block.Text, -1) {
				lines[match[1]] = d.Path
			}
		}
	}
	if len(lines) < 15 {
		t.Errorf("only %d settings found", len(lines))
	}
	for name, path := range lines {
		out, err := server.admin("postconf", "-d", name).CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), name+" =") {
			t.Errorf("%s: postconf -d %s: %v\n%s", path, name, err, out)
		}
	}
}

// TestHoldByTag: with the recipe of docs/rules.md, Postfix holds a message from outside that
// linkmilter tagged, and lets others pass.
func TestHoldByTag(t *testing.T) {
	t.Parallel()
	checks := filepath.Join(tempDir(t), "checks")
	writeFile(t, checks, docs.Read(t, "docs/acting-on-tags.md").Below(t, "The file `linkmilter_checks`", "postfix").Text, 0o644)
	addr, port := freeMilter(t), FreePort(t)
	server := StartPostfix(t, Listener{Name: "tagged", Port: port, Services: fmt.Sprintf(`
%s inet n - n - - smtpd
    -o smtpd_milters=%s
    -o cleanup_service_name=cleanup-tagged
cleanup-tagged unix n - n - 0 cleanup
    -o milter_header_checks=regexp:%s
`, localhost(port), addr, checks)})
	Serve(t, addr, nil, "--config", writeConfig(t, "[header]\nid = \"mx.example.com\"\n"))

	client := Dial(t, server.Addr("tagged"))
	client.Command(220, "XCLIENT ADDR=203.0.113.9")
	client.Command(250, "EHLO client.example")
	client.Send(Envelope{From: server.NewAddress(t), To: []string{server.NewAddress(t)}, Params: "BODY=8BITMIME"}, compose(textPlain, spoofedText))
	if held := server.Quarantined(t); len(held) != 1 {
		t.Errorf("%d messages on hold, want 1", len(held))
	}
	send(t, client, server, Envelope{Params: "BODY=8BITMIME"}, compose(textPlain, linkText))
	if held := server.Quarantined(t); len(held) != 1 {
		t.Errorf("%d messages on hold, want 1", len(held))
	}
}
