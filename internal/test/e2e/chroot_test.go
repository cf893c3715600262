//go:build linux

package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// TestChroot sends mail through an smtpd in a chroot, as Debian's is. It must reach linkmilter at a
// unix socket below the queue folder.
func TestChroot(t *testing.T) {
	t.Parallel()
	const socket = "linkmilter/milter.sock"
	server := StartPostfix(t, Listener{Name: "plain", Chroot: true}, Listener{Name: "filtered", Chroot: true, Milter: "unix:" + socket})
	account := server.MilterClient
	path := filepath.Join(server.QueueDir(), socket)
	if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(filepath.Dir(path), int(account.Uid), int(account.Gid)); err != nil {
		t.Fatal(err)
	}
	p := &pair{Server: server, linkmilter: Serve(t, "unix:"+path, &account)}
	_, with := p.both(t, Envelope{Params: "BODY=8BITMIME"}, compose(textPlain, linkText))
	readAlternative(t, with)
}
