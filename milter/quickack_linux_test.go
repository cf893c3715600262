package milter

import (
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestQuickAck: each read from TCP asks the kernel to acknowledge at once, because the kernel
// returns to delayed acknowledgements by itself.
func TestQuickAck(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	mta, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer mta.Close()
	socket, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	raw, err := socket.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	control := func(f func(fd int) error) {
		t.Helper()
		var failure error
		if err := raw.Control(func(fd uintptr) { failure = f(int(fd)) }); err != nil || failure != nil {
			t.Fatal(err, failure)
		}
	}
	link := newLink(socket, Timeouts{}.withDefaults())
	for range 2 {
		control(func(fd int) error { return unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_QUICKACK, 0) })
		if _, err := mta.Write(after()); err != nil {
			t.Fatal(err)
		}
		if _, err := link.readPacket(time.Minute); err != nil {
			t.Fatal(err)
		}
		control(func(fd int) error {
			value, err := unix.GetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_QUICKACK)
			if value == 0 {
				t.Error("acknowledgements are delayed")
			}
			return err
		})
	}
	ours, theirs := net.Pipe()
	defer ours.Close()
	defer theirs.Close()
	if quickAck(ours) != nil {
		t.Error("no TCP connection, and yet an option of TCP")
	}
}
