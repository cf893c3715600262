package contentfilter

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// A quarantine on a real disk that is full leaves messages with the client.
func TestDiskFull(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("mounting a small disk needs root")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("mount: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	hop := newSink(t)
	s := start(t, Options{Options: mailserver.Options{Filter: acting(rule.ActionQuarantine)}, NextHop: NextHop{Address: hop.address()}, Quarantine: Quarantine{Maildir: dir}})
	c := s.dial()
	c.say("EHLO client.example.org", "250")
	large := plain + strings.Repeat("0123456789abcde\r\n", 5000)
	if got := c.exchange(large); !strings.HasPrefix(got, "452 4.3.1") {
		t.Errorf("reply %q", got)
	}
	if got := c.exchange(plain); !strings.HasPrefix(got, "250") {
		t.Errorf("reply %q", got)
	}
	if all := kept(t, dir); len(all) != 1 || !strings.HasSuffix(all[0], tagged) {
		t.Errorf("kept %q", all)
	}
}
