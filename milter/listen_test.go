package milter

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestListenUnix(t *testing.T) {
	t.Run("permissions", func(t *testing.T) {
		for _, mode := range []os.FileMode{0, 0o600, 0o666} {
			path := filepath.Join(t.TempDir(), "s")
			l, err := ListenConfig{SocketMode: mode}.Listen(t.Context(), "unix:"+path)
			if err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			want := mode
			if want == 0 {
				want = DefaultSocketMode
			}
			if got := info.Mode().Perm(); got != want {
				t.Errorf("mode %o, want %o", got, want)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(path); !os.IsNotExist(err) {
				t.Errorf("the socket is still there: %v", err)
			}
		}
	})
	t.Run("stale socket is replaced", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "s")
		old, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		old.(*net.UnixListener).SetUnlinkOnClose(false)
		if err := old.Close(); err != nil {
			t.Fatal(err)
		}
		l, err := Listen(t.Context(), "unix:"+path)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("socket in use is left alone", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "s")
		first, err := Listen(t.Context(), "unix:"+path)
		if err != nil {
			t.Fatal(err)
		}
		defer first.Close()
		if _, err := Listen(t.Context(), "unix:"+path); err == nil || !strings.Contains(err.Error(), "another process") {
			t.Errorf("error %v", err)
		}
		if c, err := net.Dial("unix", path); err != nil {
			t.Error(err)
		} else if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Run("files and links are left alone", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(t.TempDir(), "l")
		if err := os.Symlink(file, link); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{file, link} {
			if _, err := Listen(t.Context(), "unix:"+path); err == nil || !strings.Contains(err.Error(), "no socket") {
				t.Errorf("error %v", err)
			}
		}
		if data, err := os.ReadFile(file); err != nil || string(data) != "precious" {
			t.Errorf("%q, %v", data, err)
		}
	})
	t.Run("missing folder", func(t *testing.T) {
		if _, err := Listen(t.Context(), "unix:"+filepath.Join(t.TempDir(), "none", "s")); err == nil {
			t.Error("no error")
		}
	})
}

func TestListenTCP(t *testing.T) {
	for _, address := range []string{"inet:0@127.0.0.1", "inet:127.0.0.2:0", "inet:0@localhost"} {
		l, err := Listen(t.Context(), address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, address := range []string{"inet:0@0.0.0.0", "inet:0@192.0.2.1", "inet6:0@::", "inet:0@mx.example.org"} {
		l, err := Listen(t.Context(), address)
		if err == nil {
			t.Errorf("%s: listening on %v", address, l.Addr())
			continue
		}
		if !strings.Contains(err.Error(), "loopback") {
			t.Errorf("%s: error %q does not say why", address, err)
		}
	}
}
