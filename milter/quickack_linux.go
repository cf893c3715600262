package milter

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// quickAck returns a function that makes the kernel acknowledge at once the bytes of the next read
// from c, or nil if c is not a TCP connection.
//
// Where no replies are negotiated, an MTA sends several small packets in a row. Nagle's algorithm
// on its side then waits for our acknowledgement, which we would delay by 40 ms for each message.
// The option is not sticky: set it before each read.
func quickAck(c net.Conn) func() {
	tcp, ok := c.(*net.TCPConn)
	if !ok {
		return nil
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return nil
	}
	return func() { setQuickAck(raw) }
}

// setQuickAck ignores errors: without the option the connection is only slower, and the read after
// it fails on a broken connection.
func setQuickAck(raw syscall.RawConn) {
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_QUICKACK, 1)
	})
}
