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

// filedBySieve returns what Dovecot does with a message by the first script of docs/acting-on-tags.md.
func filedBySieve(t *testing.T, message string) string {
	t.Helper()
	sieve := unpackPackages(t, "dovecot-sieve", "dovecot-core")
	folder := tempDir(t)
	script, path := filepath.Join(folder, "script.sieve"), filepath.Join(folder, "message.eml")
	writeFile(t, script, docs.Read(t, "docs/acting-on-tags.md").Blocks("sieve")[0].Text, 0o644)
	writeFile(t, path, message, 0o644)
	cmd := exec.Command(sieve.path("usr/bin/sieve-test"), script, path)
	cmd.Env = []string{
		"DOVECONF_ENV=1", "LD_LIBRARY_PATH=" + sieve.path("usr/lib/dovecot") + ":" + sieve.libraryPath(), "HOME=" + folder,
		"MAIL_UID=65534", "MAIL_GID=65534", "FIRST_VALID_UID=1", "MAIL_LOCATION=maildir:" + folder, "MODULE_DIR=" + sieve.path("usr/lib/dovecot/modules"),
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("sieve-test: %v\n%s", err, out)
	}
	return string(out)
}

// TestReleasedIsNotFiledBySieve: Dovecot files a message with linkmilter's tags as junk, and the same
// message after its release in the inbox.
func TestReleasedIsNotFiledBySieve(t *testing.T) {
	t.Parallel()
	const tagged = "From: eve@example.net\r\nSubject: [suspicious link] Hello\r\nX-Linkmilter: mx.example.com; action=quarantine; worst=high;\r\n findings=1; rule=others\r\n\r\nHello\r\n"
	if got := filedBySieve(t, tagged); !strings.Contains(got, "store message in folder: Junk") {
		t.Errorf("with tags: %s", got)
	}
	maildir, back := tempDir(t), newHop(t)
	for _, folder := range []string{"new", "cur", "tmp"} {
		if err := os.Mkdir(filepath.Join(maildir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, sender := range map[string]string{"1.mx": "eve@example.net", "2.mx": "anna@example.org"} {
		writeFile(t, filepath.Join(maildir, "new", name), "X-Linkmilter-Quarantined: mx.example.com; id=1; from=<"+sender+">; recipients=1\r\n"+tagged, 0o600)
		writeFile(t, filepath.Join(maildir, name+".envelope"), "from=<"+sender+">\nto=<bert@example.com>\n", 0o600)
	}
	config := writeConfig(t, fmt.Sprintf("[content_filter]\nlisten = [\"127.0.0.1:1\"]\nnext_hop = %q\nquarantine = %q\n[[rule]]\nname = \"others\"\non = { high = \"quarantine\" }\nsubject_tag = \"[suspicious link]\"\n", back.address, maildir))
	if out, err := run(Binary(t), "quarantine", "release", "--config", config, "--from", "@example.net"); err != nil || out != "released 1.mx\n" {
		t.Fatal(err, out)
	}
	message := back.next(t)
	if got := filedBySieve(t, message); !strings.Contains(got, "store message in folder: INBOX") || !strings.Contains(message, "Subject: Hello\r\n") {
		t.Errorf("released: %s\n%s", got, message)
	}
	if left, err := filepath.Glob(maildir + "/new/*"); err != nil || len(left) != 1 {
		t.Errorf("left: %q %v", left, err)
	}
}

// TestSpamAssassinRecipe: with the lines of docs/acting-on-tags.md, SpamAssassin adds points to a
// tagged message.
func TestSpamAssassinRecipe(t *testing.T) {
	t.Parallel()
	cmd := spamAssassin(t, docs.Read(t, "docs/acting-on-tags.md").Blocks("spamassassin")[0].Text)()
	cmd.Stdin = bytes.NewReader(taggedMessage(t))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), " 5.0 LINKMILTER_HIGH ") {
		t.Errorf("%v, no points of LINKMILTER_HIGH in\n%s", err, out)
	}
}

// TestRspamdRecipe: Rspamd takes the configuration of docs/acting-on-tags.md.
func TestRspamdRecipe(t *testing.T) {
	t.Parallel()
	r := newRspamd(t)
	writeFile(t, filepath.Join(r.local, "rspamd.local.lua"), docs.Read(t, "docs/acting-on-tags.md").Blocks("lua")[0].Text, 0o644)
	r.testConfig(t)
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
