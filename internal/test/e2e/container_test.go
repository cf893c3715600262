//go:build linux

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
	docs "github.com/linkmilter/linkmilter/internal/test/manual"
)

// TestContainer builds the image, and looks at what is in it.
func TestContainer(t *testing.T) {
	t.Parallel()
	buildah := newBuildah(t)
	dist := makePackages(t, "v1.0.0")
	tree := filepath.Join(dist, "root")
	if err := os.Mkdir(tree, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := run("tar", "-C", tree, "-xzf", onlyFile(t, dist, "*.tar.gz")); err != nil {
		t.Fatal(err, out)
	}
	// The manual builds it with podman, which is buildah with the same arguments.
	command := docs.Read(t, "docs/containers.md").Below(t, "## Build", "sh").Text
	if !strings.Contains(command, "podman build --file deploy/Containerfile --tag linkmilter dist/root") {
		t.Fatalf("the manual builds otherwise:\n%s", command)
	}
	buildah.run(t, "build", "--isolation=chroot", "--file="+filepath.Join(env.Root(t), "deploy", "Containerfile"), "--tag=linkmilter", tree)
	var image struct {
		OCIv1 struct {
			Config struct {
				User       string
				Entrypoint []string
			}
		}
	}
	if err := json.Unmarshal([]byte(buildah.run(t, "inspect", "--type=image", "linkmilter")), &image); err != nil {
		t.Fatal(err)
	}
	if c := image.OCIv1.Config; c.User != "65532:65532" || !slices.Equal(c.Entrypoint, []string{"/usr/bin/linkmilter"}) {
		t.Errorf("image: %+v", c)
	}
	hash := filepath.Join(tempDir(t), "hash")
	writeFile(t, hash, "$2a$10$hq9A19oKc3DSP0QWlt46m.DwDSKkYLSN0MjbyoPnVTrVLIORe1Fqq\n", 0o600)
	for _, file := range []string{"container.toml", "kubernetes/linkmilter.toml"} {
		content, err := os.ReadFile(filepath.Join(env.Root(t), "deploy", file))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(tempDir(t), filepath.Base(file))
		writeFile(t, path, strings.ReplaceAll(string(content), "/etc/linkmilter-admin/hash", hash), 0o644)
		if out, err := run(Binary(t), "check-config", path); err != nil {
			t.Errorf("%s: %s", file, out)
		}
	}
	container := buildah.run(t, "from", "linkmilter")
	mounted := buildah.run(t, "mount", container)
	defer buildah.run(t, "rm", container)
	out, err := exec.Command("chroot", mounted, "/usr/bin/linkmilter", "--version").CombinedOutput()
	if err != nil || string(out) != "linkmilter v1.0.0\n" {
		t.Errorf("%v: %s", err, out)
	}
}

// buildah is an unpacked buildah with storage in a folder.
type buildah struct {
	unpacked
	dir string
}

func newBuildah(t *testing.T) *buildah {
	t.Helper()
	b := &buildah{unpacked: unpackPackages(t, "buildah"), dir: tempDir(t)}
	writeFile(t, filepath.Join(b.dir, "policy.json"), `{"default":[{"type":"insecureAcceptAnything"}]}`, 0o644)
	writeFile(t, filepath.Join(b.dir, "registries.conf"), "", 0o644)
	if out, err := b.command("info").CombinedOutput(); err != nil {
		env.Missing(t, "what buildah needs: "+string(out))
	}
	return b
}

func (b *buildah) command(args ...string) *exec.Cmd {
	global := []string{
		"--root=" + filepath.Join(b.dir, "storage"), "--runroot=" + filepath.Join(b.dir, "run"), "--storage-driver=vfs",
		"--registries-conf=" + filepath.Join(b.dir, "registries.conf"),
	}
	if slices.Contains([]string{"build", "from"}, args[0]) {
		args = slices.Insert(args, 1, "--signature-policy="+filepath.Join(b.dir, "policy.json"))
	}
	cmd := exec.Command(b.path("usr/bin/buildah"), append(global, args...)...)
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=" + b.dir, "LD_LIBRARY_PATH=" + b.libraryPath()}
	return cmd
}

// run runs buildah and returns what it printed.
func (b *buildah) run(t *testing.T, args ...string) string {
	t.Helper()
	cmd := b.command(args...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("buildah %s: %v\n%s", strings.Join(args, " "), err, stderrOf(err))
	}
	return strings.TrimSpace(string(out))
}

// stderrOf returns what a failed program wrote to standard error.
func stderrOf(err error) string {
	if exit, ok := err.(*exec.ExitError); ok {
		return string(exit.Stderr)
	}
	return ""
}
