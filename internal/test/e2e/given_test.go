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

	"github.com/linkmilter/linkmilter/internal/test/env"
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
	perl := env.Command(t, "perl")
	spamassassin := unpackPackages(t, "spamassassin", "libhtml-parser-perl", "libhtml-tagset-perl", "libnet-dns-perl", "libnetaddr-ip-perl")
	site := tempDir(t)
	rules, err := os.ReadFile(given(t, "spamassassin"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(site, "linkmilter.cf"), string(rules), 0o644)
	if err := os.CopyFS(site, os.DirFS(spamassassin.path("etc/spamassassin"))); err != nil {
		t.Fatal(err)
	}
	folders, err := filepath.Glob(spamassassin.path("usr/lib/*/perl5/*"))
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"-T", "-I" + spamassassin.path("usr/share/perl5")}
	for _, folder := range folders {
		args = append(args, "-I"+folder)
	}
	for host, want := range map[string]bool{"evil-example.net": true, "good-example.net": false} {
		cmd := exec.Command(perl, append(args, spamassassin.path("usr/bin/spamassassin"), "-C", spamassassin.path("usr/share/spamassassin"),
			"--siteconfigpath", site, "--nocreate-prefs", "--local", "--test-mode")...)
		cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + site}
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
	rspamd := unpackPackages(t, "rspamd")
	local, state := tempDir(t), tempDir(t)
	if err := os.Mkdir(filepath.Join(local, "local.d"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(local, "local.d", "multimap.conf"), "LINKMILTER_HOST { type = \"url\"; map = \""+given(t, "rspamd")+"\"; score = 3.0; }\n", 0o644)
	share := rspamd.path("usr/share/rspamd")
	cmd := exec.Command(rspamd.path("usr/bin/rspamadm"))
	for name, folder := range map[string]string{
		"CONFDIR": rspamd.path("etc/rspamd"), "LOCAL_CONFDIR": local, "SHAREDIR": share, "RULESDIR": filepath.Join(share, "rules"),
		"LUALIBDIR": filepath.Join(share, "lualib"), "PLUGINSDIR": filepath.Join(share, "plugins"), "WWWDIR": filepath.Join(share, "www"),
		"DBDIR": state, "RUNDIR": state, "LOGDIR": state,
	} {
		cmd.Args = append(cmd.Args, "--var="+name+"="+folder)
	}
	cmd.Args = append(cmd.Args, "configtest", "-c", rspamd.path("etc/rspamd/rspamd.conf"))
	cmd.Env = []string{"LD_LIBRARY_PATH=" + rspamd.path("usr/lib/rspamd") + ":" + rspamd.libraryPath()}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "syntax OK") || strings.Contains(string(out), "LINKMILTER") {
		t.Errorf("%v\n%s", err, out)
	}
}
