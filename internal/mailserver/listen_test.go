package mailserver

import (
	"net"
	"net/netip"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
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
			if _, err := Listen(t.Context(), "unix:"+path); err == nil || !strings.Contains(err.Error(), "not a socket") {
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

func TestListenGroup(t *testing.T) {
	t.Run("own group by number", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "s")
		l, err := ListenConfig{SocketGroup: strconv.Itoa(os.Getegid())}.Listen(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Gid) != os.Getegid() {
			t.Errorf("%+v", info.Sys())
		}
	})
	t.Run("another group by name", func(t *testing.T) {
		env.NeedRoot(t)
		path := filepath.Join(t.TempDir(), "s")
		l, err := ListenConfig{SocketGroup: "daemon"}.Listen(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		daemon, err := user.LookupGroup("daemon")
		if err != nil {
			t.Fatal(err)
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || strconv.Itoa(int(stat.Gid)) != daemon.Gid || info.Mode().Perm() != DefaultSocketMode {
			t.Errorf("%v %+v", info.Mode(), info.Sys())
		}
	})
	t.Run("unknown group leaves nothing behind", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "s")
		if _, err := (ListenConfig{SocketGroup: "no such group"}).Listen(t.Context(), path); err == nil {
			t.Error("no error")
		}
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("the socket is there: %v", err)
		}
	})
}

// TestListenBeyondLoopback: on an address beyond this machine, linkmilter listens only if networks
// are allowed.
func TestListenBeyondLoopback(t *testing.T) {
	allow := []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}
	tests := []struct {
		address string
		allow   []netip.Prefix
		ok      bool
	}{
		{"inet:8895@127.0.0.1", nil, true},
		{"inet:8895@localhost", nil, true},
		{"inet6:8895@::1", nil, true},
		{"unix:/run/x", nil, true},
		{"inet:8895@0.0.0.0", nil, false},
		{"inet:8895@192.0.2.1", nil, false},
		{"inet:8895@mail.example.org", nil, false},
		{"inet6:8895@::", nil, false},
		{"inet:8895@0.0.0.0", allow, true},
		{"inet:8895@mail.example.org", allow, true},
		{"inet:8895", allow, false},
	}
	for _, tt := range tests {
		if err := (ListenConfig{Allow: tt.allow}).Check(tt.address); (err == nil) != tt.ok {
			t.Errorf("%s, allowed %v: %v", tt.address, tt.allow, err)
		}
	}
	for _, tt := range tests[4:5] {
		if _, err := Listen(t.Context(), tt.address); err == nil {
			t.Errorf("listened on %s", tt.address)
		}
	}
	passed, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	defer passed.Close()
	if err := (ListenConfig{}).CheckListener(passed); err == nil {
		t.Error("a listener for all hosts was accepted")
	}
	if err := (ListenConfig{Allow: allow}).CheckListener(passed); err != nil {
		t.Error(err)
	}
}
