//go:build !linux

package milter

import "net"

// quickAck returns nil: TCP_QUICKACK is Linux's.
func quickAck(net.Conn) func() { return nil }
