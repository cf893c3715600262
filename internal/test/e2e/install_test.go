//go:build linux

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/internal/test/env"
	docs "github.com/linkmilter/linkmilter/internal/test/manual"
)

// makePackages makes the packages of a version and returns their folder.
func makePackages(t *testing.T, version string, settings ...string) string {
	t.Helper()
	env.Command(t, "make")
	if err := readFolders(env.Root(t)); err != nil {
		t.Fatal(err)
	}
	dist := tempDir(t)
	cmd := exec.Command("make", append([]string{"packages", "VERSION=" + version, "DIST=" + dist, "SOURCE_DATE_EPOCH=1700000000"}, settings...)...)
	cmd.Dir = env.Root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("make packages: %v\n%s", err, out)
	}
	return dist
}

// onlyFile returns the one file of a folder that a pattern matches.
func onlyFile(t *testing.T, folder, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s in %s: %q, %v", pattern, folder, found, err)
	}
	return found[0]
}

// isReproducible fails the test unless packages of the same version have the same bytes.
func isReproducible(t *testing.T, first, second string) {
	checksums := func(dist string) string {
		content, err := os.ReadFile(filepath.Join(dist, "SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	if diff := cmp.Diff(checksums(first), checksums(second)); diff != "" {
		t.Error(diff)
	}
	if out, err := exec.Command("sh", "-c", `cd "$0" && sha256sum --check --quiet SHA256SUMS`, first).CombinedOutput(); err != nil {
		t.Errorf("sha256sum: %v\n%s", err, out)
	}
}

// listsModules fails the test unless the list of modules is complete.
func listsModules(t *testing.T, dist string) {
	var bom struct {
		Metadata struct {
			Component struct{ Version string }
		}
		Components []struct{ Name, Version, PURL string }
	}
	content, err := os.ReadFile(onlyFile(t, dist, "*.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &bom); err != nil || bom.Metadata.Component.Version != "1.0.0" || len(bom.Components) < 10 {
		t.Errorf("list of modules: %v\n%s", err, content)
	}
	for _, c := range bom.Components {
		if c.PURL != "pkg:golang/"+c.Name+"@"+c.Version || c.Version == "" {
			t.Errorf("module %+v", c)
		}
	}
}

// unpacksAnywhere fails the test unless the program in the tar archive runs alone.
func unpacksAnywhere(t *testing.T, dist string) {
	root := tempDir(t)
	if out, err := exec.Command("tar", "-C", root, "-xzf", onlyFile(t, dist, "*.tar.gz")).CombinedOutput(); err != nil {
		t.Fatalf("tar: %v\n%s", err, out)
	}
	out, err := exec.Command(filepath.Join(root, "usr/bin/linkmilter"), "--version").Output()
	if err != nil || !strings.HasPrefix(string(out), "linkmilter v1.0.0\n") {
		t.Errorf("--version: %v\n%s", err, out)
	}
	if out, err := exec.Command("ldd", filepath.Join(root, "usr/bin/linkmilter")).CombinedOutput(); err == nil {
		t.Errorf("the program needs shared libraries:\n%s", out)
	}
}

// packaging is a program that installs packages into a machine.
type packaging struct {
	pattern         string
	install, remove func(path string) []string
	purge           []string // nil: without such a step
	enables         bool     // starts the service at installation
	installed       []string // files
}

// TestPackages makes packages, installs them under a real systemd, upgrades and removes
// them, and sends mail meanwhile.
func TestPackages(t *testing.T) {
	t.Parallel()
	// The second version has another default configuration; no upgrade may ask about that.
	reworded := filepath.Join(tempDir(t), "linkmilter.toml")
	writeFile(t, reworded, "# reworded\nbuiltin_rules = true\n", 0o644)
	one, two := makePackages(t, "v1.0.0"), makePackages(t, "v1.1.0", "CONFIG="+reworded)
	t.Run("reproducible", func(t *testing.T) {
		t.Parallel()
		isReproducible(t, one, makePackages(t, "v1.0.0"))
	})
	t.Run("modules", func(t *testing.T) { listsModules(t, one) })
	t.Run("tar archive", func(t *testing.T) { unpacksAnywhere(t, one) })
	rpm := func(t *testing.T) func(args ...string) []string {
		u := unpackPackages(t, "rpm", "rpm-common")
		program := []string{"env", "LD_LIBRARY_PATH=" + u.libraryPath(), "RPM_CONFIGDIR=" + u.path("usr/lib/rpm"), u.path("usr/bin/rpm"), "--dbpath=/var/lib/rpm", "--nodeps"}
		return func(args ...string) []string { return append(program[:len(program):len(program)], args...) }
	}
	for _, tool := range []struct {
		name string
		make func(t *testing.T) packaging
	}{
		{"deb", func(*testing.T) packaging {
			return packaging{
				pattern: "*.deb", enables: true,
				install:   func(path string) []string { return []string{"dpkg", "--install", path} },
				remove:    func(string) []string { return []string{"dpkg", "--remove", "linkmilter"} },
				purge:     []string{"dpkg", "--purge", "linkmilter"},
				installed: []string{"/usr/share/zsh/vendor-completions/_linkmilter"},
			}
		}},
		{"rpm", func(t *testing.T) packaging {
			command := rpm(t)
			return packaging{
				pattern:   "*.rpm",
				install:   func(path string) []string { return command("--upgrade", "--oldpackage", path) },
				remove:    func(string) []string { return command("--erase", "linkmilter") },
				installed: []string{"/usr/share/zsh/site-functions/_linkmilter"},
			}
		}},
	} {
		t.Run(tool.name, func(t *testing.T) {
			t.Parallel()
			tool.make(t).cycle(t, one, two)
		})
	}
}

// cycle installs the first version, upgrades to the second, and removes it.
func (p packaging) cycle(t *testing.T, one, two string) {
	m := StartSystemd(t)
	addr := freeMilter(t)
	server := StartPostfix(t, Listener{Name: "plain"}, Listener{Name: "filtered", Milter: addr})
	m.dropIn(t, "address", "[Service]\nExecStart=\nExecStart=/usr/bin/linkmilter serve --config /etc/linkmilter.toml --milter "+addr+"\n")
	packages := map[string]string{}
	for name, folder := range map[string]string{"one": one, "two": two} {
		path := onlyFile(t, folder, p.pattern)
		packages[name] = m.path(filepath.Base(path))
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, packages[name], string(content), 0o644)
	}
	mail := func() {
		t.Helper()
		readAlternative(t, deliver(t, server, "filtered", Envelope{Params: "BODY=8BITMIME"}, compose(textPlain, linkText)))
	}
	version := func(want string) {
		t.Helper()
		if got := m.Run(t, "linkmilter", "--version"); got != "linkmilter "+want {
			t.Errorf("version %q, want %s", got, want)
		}
	}

	m.Run(t, p.install(packages["one"])...)
	version("v1.0.0")
	for _, path := range append(p.installed, "/usr/lib/systemd/system/linkmilter.socket", "/usr/share/man/man1/linkmilter.1", "/usr/share/man/man5/linkmilter.toml.5",
		"/usr/share/bash-completion/completions/linkmilter", "/usr/share/fish/vendor_completions.d/linkmilter.fish", "/usr/share/doc/linkmilter/LICENSE",
		"/usr/share/doc/linkmilter/SECURITY.md", "/usr/share/doc/linkmilter/deploy/prometheus/linkmilter.rules.yaml", "/usr/share/doc/linkmilter/deploy/apparmor/linkmilter") {
		m.Run(t, "test", "-s", path)
	}
	m.Run(t, "getent", "passwd", "linkmilter")
	m.Run(t, "systemd-analyze", "verify", "/usr/lib/systemd/system/linkmilter.service", "/usr/lib/systemd/system/linkmilter.socket")
	m.Run(t, "linkmilter", "check-config", "/etc/linkmilter.toml")
	if !p.enables {
		m.Run(t, "systemctl", "enable", "--now", unit)
	}
	mail()

	const changed = "\n[log]\nlevel = \"debug\"\n"
	config := m.Run(t, "cat", "/etc/linkmilter.toml")
	m.install(t, config+"\n[header]\nid = \"mx.example.test\"\n", "/etc/linkmilter.toml")
	before := m.Property(t, unit, "MainPID")
	m.Run(t, p.install(packages["two"])...)
	version("v1.1.0")
	if kept := m.Run(t, "cat", "/etc/linkmilter.toml"); !strings.Contains(kept, "mx.example.test") {
		t.Errorf("the upgrade replaced the configuration:\n%s", kept)
	}
	m.WaitProperty(t, unit, "ActiveState", "active")
	after := m.Property(t, unit, "MainPID")
	if after == before {
		t.Error("the upgrade did not restart the service")
	}
	mail()

	key, err := newKey()
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, m.path("mail2026.pem"), key.pem, 0o600)
	m.Run(t, "sh", "-c", docs.Read(t, "docs/dkim.md").Below(t, "   account of the service, and in step 3 write", "sh").Text)
	signing := strings.Replace(docs.Read(t, "docs/dkim.md").Below(t, "3. Configure it", "toml").Text, "/run/credentials/linkmilter.service", "/etc/linkmilter", 1)
	m.install(t, strings.ReplaceAll(signing, "example.com", Domain), "/etc/linkmilter.toml")
	m.Run(t, "systemctl", "reload", unit)
	got := deliver(t, server, "filtered", Envelope{Params: "BODY=8BITMIME"}, compose(textPlain, linkText))
	if all := strings.Join(append(got.Trace, got.Header...), ""); !strings.Contains(all, "s=mail2026") {
		t.Errorf("not signed:\n%s", all)
	}

	m.install(t, "nonsense = 1\n"+changed, "/etc/linkmilter.toml")
	m.Run(t, p.install(packages["one"])...)
	if now := m.Property(t, unit, "MainPID"); now != after {
		t.Errorf("restarted with a bad configuration: %s, before %s", now, after)
	}
	mail()

	m.Run(t, "sh", "-c", "mkdir -p /var/lib/private/linkmilter/quarantine && touch /var/lib/private/linkmilter/quarantine/mail")
	m.Run(t, p.remove("")...)
	m.Run(t, "test", "!", "-e", "/usr/bin/linkmilter")
	m.WaitProperty(t, unit, "ActiveState", "inactive")
	if p.purge != nil {
		m.Run(t, "test", "-e", "/etc/linkmilter.toml")
		m.Run(t, p.purge...)
		m.Run(t, "test", "!", "-e", "/etc/linkmilter.toml")
		m.Run(t, "test", "!", "-e", "/var/cache/private/linkmilter")
	}
	m.Run(t, "test", "-e", "/var/lib/private/linkmilter/quarantine/mail")
}
