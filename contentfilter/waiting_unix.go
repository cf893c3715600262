//go:build unix

package contentfilter

import (
	"net"
	"syscall"
)

// waiting reports whether the peer has sent something that was not read yet. It returns false if it
// cannot tell, as on encrypted connections.
func waiting(c net.Conn) bool {
	socket, ok := c.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return false
	}
	n := 0
	_ = raw.Control(func(fd uintptr) {
		// The socket does not block.
		n, _, err = syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK)
	})
	return err == nil && n > 0
}
