//go:build linux

package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// suiteFilters are the packages of the spam filters, and what Rspamd needs beside libraries.
var suiteFilters = []string{"rspamd", "publicsuffix", "spamassassin"}

// SuiteFilters returns a function like exec.CommandContext for SpamAssassin and Rspamd of the suite
// that LINKMILTER_SUITE names. They see the files of their packages, and of what these depend on, in
// place of this system's /usr and /etc: Perl and Lua look for their modules there. Without a suite it
// returns nil.
func SuiteFilters(tb testing.TB) func(ctx context.Context, program string, args ...string) *exec.Cmd {
	tb.Helper()
	if suite() == "" {
		return nil
	}
	packages, etc := unpackPackages(tb, suiteFilters...), tempDir(tb)
	if err := os.CopyFS(etc, os.DirFS(packages.path("etc"))); err != nil {
		tb.Fatal(err)
	}
	writeFile(tb, filepath.Join(etc, "hosts"), "127.0.0.1 localhost\n", 0o644)
	writeFile(tb, filepath.Join(etc, "resolv.conf"), "nameserver 127.0.0.1\n", 0o644)
	return func(ctx context.Context, program string, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, "/bin/sh", append([]string{
			"-c", `mount --make-rprivate / && mount --bind "$0" /etc && mount --bind "$1" /usr && shift && exec "$@"`,
			etc, packages.path("usr"), program,
		}, args...)...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
		return cmd
	}
}

// spamAssassin returns a function that makes commands of SpamAssassin, with more rules.
func spamAssassin(t *testing.T, rules string) func() *exec.Cmd {
	t.Helper()
	site := tempDir(t)
	writeFile(t, filepath.Join(site, "linkmilter.cf"), rules, 0o644)
	options := []string{"--siteconfigpath", site, "--nocreate-prefs", "--local", "--test-mode"}
	start := SuiteFilters(t)
	var packages unpacked
	if start == nil {
		perl := env.Command(t, "perl")
		packages = unpackPackages(t, "spamassassin", "libhtml-parser-perl", "libhtml-tagset-perl", "libnet-dns-perl", "libnetaddr-ip-perl")
		folders, err := filepath.Glob(packages.path("usr/lib/*/perl5/*"))
		if err != nil {
			t.Fatal(err)
		}
		args := []string{"-T", "-I" + packages.path("usr/share/perl5")}
		for _, folder := range folders {
			args = append(args, "-I"+folder)
		}
		args = append(args, packages.path("usr/bin/spamassassin"), "-C", packages.path("usr/share/spamassassin"))
		start = func(ctx context.Context, _ string, more ...string) *exec.Cmd {
			return exec.CommandContext(ctx, perl, append(args, more...)...)
		}
	} else {
		packages = unpackPackages(t, suiteFilters...)
	}
	// The plugins, which the package switches on.
	if err := os.CopyFS(site, os.DirFS(packages.path("etc/spamassassin"))); err != nil {
		t.Fatal(err)
	}
	return func() *exec.Cmd {
		cmd := start(t.Context(), "spamassassin", options...)
		cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + site}
		return cmd
	}
}

// rspamd is Rspamd with a folder for local configuration and one for its state.
type rspamd struct {
	local, state string
	etc, share   string
	suffixes     string // file with public suffixes
	command      func(program string, args ...string) *exec.Cmd
}

func newRspamd(t *testing.T) rspamd {
	t.Helper()
	r := rspamd{local: tempDir(t), state: tempDir(t), etc: "/etc/rspamd", share: "/usr/share/rspamd", suffixes: "/usr/share/publicsuffix/effective_tld_names.dat"}
	start, libraries := SuiteFilters(t), ""
	if start == nil {
		packages := unpackPackages(t, "rspamd")
		r.etc, r.share = packages.path(r.etc), packages.path(r.share)
		r.suffixes = filepath.Join(r.share, "effective_tld_names.dat")
		libraries = packages.path("usr/lib/rspamd") + ":" + packages.libraryPath()
		start = func(ctx context.Context, program string, args ...string) *exec.Cmd {
			return exec.CommandContext(ctx, packages.path("usr/bin", program), args...)
		}
	}
	var variables []string
	for name, folder := range map[string]string{
		"CONFDIR": r.etc, "LOCAL_CONFDIR": r.local, "SHAREDIR": r.share, "RULESDIR": filepath.Join(r.share, "rules"),
		"LUALIBDIR": filepath.Join(r.share, "lualib"), "PLUGINSDIR": filepath.Join(r.share, "plugins"), "WWWDIR": filepath.Join(r.share, "www"),
		"DBDIR": r.state, "RUNDIR": r.state, "LOGDIR": r.state,
	} {
		variables = append(variables, "--var="+name+"="+folder)
	}
	r.command = func(program string, args ...string) *exec.Cmd {
		cmd := start(context.WithoutCancel(t.Context()), program, append(variables, args...)...)
		if libraries != "" {
			cmd.Env = []string{"LD_LIBRARY_PATH=" + libraries}
		}
		return cmd
	}
	return r
}

// testConfig expects Rspamd to take its configuration and to say nothing of linkmilter.
func (r rspamd) testConfig(t *testing.T) {
	t.Helper()
	out, err := r.command("rspamadm", "configtest", "-c", filepath.Join(r.etc, "rspamd.conf")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "syntax OK") || strings.Contains(string(out), "LINKMILTER") {
		t.Errorf("%v\n%s", err, out)
	}
}
