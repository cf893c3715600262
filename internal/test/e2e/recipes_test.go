//go:build linux

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
	docs "github.com/linkmilter/linkmilter/internal/test/manual"
)

// taggedMessage returns a message with tags of mx.example.com at high severity.
func taggedMessage(t *testing.T) []byte {
	t.Helper()
	cmd := exec.Command(Binary(t), "rewrite", "--rule", "others", "--config", writeConfig(t, "[header]\nid = \"mx.example.com\"\n"))
	cmd.Stdin = bytes.NewReader(compose(textPlain, spoofedText))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSieveRecipes: Dovecot's compiler takes the scripts of docs/acting-on-tags.md.
func TestSieveRecipes(t *testing.T) {
	t.Parallel()
	sieve := unpackPackages(t, "dovecot-sieve", "dovecot-core")
	scripts := docs.Read(t, "docs/acting-on-tags.md").Blocks("sieve")
	if len(scripts) < 2 {
		t.Errorf("%d scripts found, want 2", len(scripts))
	}
	for _, script := range scripts {
		path := filepath.Join(tempDir(t), "script.sieve")
		writeFile(t, path, script.Text, 0o644)
		cmd := exec.Command(sieve.path("usr/bin/sievec"), "-x", "+editheader", path)
		// With DOVECONF_ENV it does not ask doveconf, which is elsewhere.
		cmd.Env = []string{"DOVECONF_ENV=1", "LD_LIBRARY_PATH=" + sieve.path("usr/lib/dovecot") + ":" + sieve.libraryPath()}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("line %d: %v\n%s", script.Line, err, out)
		}
	}
}

// TestSpamAssassinRecipe: with the lines of docs/acting-on-tags.md, SpamAssassin adds points to a
// tagged message.
func TestSpamAssassinRecipe(t *testing.T) {
	t.Parallel()
	perl := env.Command(t, "perl")
	spamassassin := unpackPackages(t, "spamassassin", "libhtml-parser-perl", "libhtml-tagset-perl", "libnet-dns-perl", "libnetaddr-ip-perl")
	site := tempDir(t)
	writeFile(t, filepath.Join(site, "linkmilter.cf"), docs.Read(t, "docs/acting-on-tags.md").Blocks("spamassassin")[0].Text, 0o644)
	// The plugins, which the package switches on.
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
	cmd := exec.Command(perl, append(args, spamassassin.path("usr/bin/spamassassin"), "-C", spamassassin.path("usr/share/spamassassin"),
		"--siteconfigpath", site, "--nocreate-prefs", "--local", "--test-mode")...)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + site}
	cmd.Stdin = bytes.NewReader(taggedMessage(t))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), " 5.0 LINKMILTER_HIGH ") {
		t.Errorf("%v, no points of LINKMILTER_HIGH in\n%s", err, out)
	}
}

// TestRspamdRecipe: Rspamd takes the configuration of docs/acting-on-tags.md.
func TestRspamdRecipe(t *testing.T) {
	t.Parallel()
	rspamd := unpackPackages(t, "rspamd")
	local, state := tempDir(t), tempDir(t)
	writeFile(t, filepath.Join(local, "rspamd.local.lua"), docs.Read(t, "docs/acting-on-tags.md").Blocks("lua")[0].Text, 0o644)
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

// TestEximRecipe: the filter of docs/acting-on-tags.md marks a tagged message, and leaves
// another one.
func TestEximRecipe(t *testing.T) {
	t.Parallel()
	s := StartExim(t, EximConfig{}, Listener{})
	path := filepath.Join(s.dir, "linkmilter.filter")
	writeFile(t, path, docs.Read(t, "docs/acting-on-tags.md").Blocks("exim")[0].Text, 0o644)
	for name, c := range map[string]struct {
		message []byte
		marked  bool
	}{"tagged": {taggedMessage(t), true}, "clean": {compose(textPlain, "Hello"), false}} {
		cmd := s.admin("exim4", "-bF", path)
		cmd.Stdin = bytes.NewReader(c.message)
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Contains(string(out), `X-Spam-Flag: YES`) != c.marked {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
