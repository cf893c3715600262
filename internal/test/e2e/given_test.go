//go:build linux

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// given returns the output of linkmilter report in a format, with one host, evil-example.net.
func given(t *testing.T, format string) string {
	t.Helper()
	cmd := exec.Command(Binary(t), "report", "--format", format, "-")
	cmd.Stdin = strings.NewReader(fmt.Sprintf(`time=%s level=INFO msg=message queue_id=Q1 rule=others outcome=complete worst=high findings=[lookalike] hosts="[evil-example.net www.google.com]" action=tag duration=1ms`+"\n",
		time.Now().Add(-time.Hour).Format(time.RFC3339)))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "evil-example.net") || strings.Contains(string(out), "google") {
		t.Fatalf("%v\n%s", err, out)
	}
	path := filepath.Join(tempDir(t), format)
	writeFile(t, path, string(out), 0o644)
	return path
}

// TestGivenToSpamAssassin: SpamAssassin adds points to a message with a link to a host that linkmilter
// flagged.
func TestGivenToSpamAssassin(t *testing.T) {
	t.Parallel()
	rules, err := os.ReadFile(given(t, "spamassassin"))
	if err != nil {
		t.Fatal(err)
	}
	command := spamAssassin(t, string(rules))
	for host, want := range map[string]bool{"evil-example.net": true, "good-example.net": false} {
		cmd := command()
		cmd.Stdin = bytes.NewReader(compose(textPlain, "see https://"+host+"/login\r\n"))
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Contains(string(out), " 3.0 LINKMILTER_HOST ") != want || strings.Contains(string(out), "warn:") {
			t.Errorf("%s: %v\n%s", host, err, out)
		}
	}
}

// TestGivenToPostfix: Postfix finds the host in its table.
func TestGivenToPostfix(t *testing.T) {
	t.Parallel()
	postfix := unpackPackages(t, "postfix", "libsasl2-modules")
	config := tempDir(t)
	writeFile(t, filepath.Join(config, "main.cf"), "compatibility_level = 3.7\nmail_owner = daemon\nsetgid_group = bin\n", 0o644)
	cmd := exec.Command(postfix.path("usr/sbin/postmap"), "-c", config, "-q", "evil-example.net", "texthash:"+given(t, "postfix"))
	cmd.Env = []string{"LD_LIBRARY_PATH=" + postfix.path("usr/lib/postfix") + ":" + postfix.libraryPath()}
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "REJECT flagged host (1 message, lookalike)") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestGivenToBIND: BIND takes the response policy zone.
func TestGivenToBIND(t *testing.T) {
	t.Parallel()
	bind := unpackPackages(t, "bind9-utils", "bind9-libs")
	cmd := exec.Command(bind.path("usr/sbin/named-checkzone"), "-D", "rpz.local", given(t, "rpz"))
	if _, err := os.Stat(cmd.Path); err != nil {
		cmd.Path = bind.path("usr/bin/named-checkzone")
	}
	cmd.Env = []string{"LD_LIBRARY_PATH=" + bind.libraryPath()}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "*.evil-example.net.rpz.local.") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestGivenToRspamd: Rspamd takes a map of URLs with the hosts.
func TestGivenToRspamd(t *testing.T) {
	t.Parallel()
	r := newRspamd(t)
	if err := os.Mkdir(filepath.Join(r.local, "local.d"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(r.local, "local.d", "multimap.conf"), "LINKMILTER_HOST { type = \"url\"; map = \""+given(t, "rspamd")+"\"; score = 3.0; }\n", 0o644)
	r.testConfig(t)
}
