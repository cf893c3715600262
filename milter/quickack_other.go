//go:build !linux

package milter

import "net"

// quickAck returns nil, because only Linux has TCP_QUICKACK.
func quickAck(net.Conn) func() { return nil }
