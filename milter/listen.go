package milter

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"syscall"
	"time"
)

// DefaultSocketMode are the permissions of a Unix socket where none are given:
// the MTA connects as a member of the socket's group.
const DefaultSocketMode fs.FileMode = 0o660

// staleDialTimeout bounds the attempt to reach whoever owns an existing
// socket. A connection to a Unix socket is made or refused at once; only a
// full backlog, and so a living owner, takes longer.
const staleDialTimeout = time.Second

// ListenConfig says how to listen. The zero value holds the defaults.
type ListenConfig struct {
	// SocketMode are the permissions of a Unix socket; 0: DefaultSocketMode.
	SocketMode fs.FileMode
}

// Listen listens on address with the zero [ListenConfig].
func Listen(ctx context.Context, address string) (net.Listener, error) {
	return ListenConfig{}.Listen(ctx, address)
}

// Listen listens on address, written as [ParseAddr] reads it; ctx bounds
// looking up a host name only. A Unix socket left behind by a process that is
// gone is replaced, but nothing else is ever removed. TCP addresses must be
// loopback addresses: whoever reaches the socket could pose as an MTA.
func (c ListenConfig) Listen(ctx context.Context, address string) (net.Listener, error) {
	network, addr, err := ParseAddr(address)
	if err != nil {
		return nil, err
	}
	if network == "unix" {
		mode := c.SocketMode
		if mode == 0 {
			mode = DefaultSocketMode
		}
		return listenUnix(ctx, addr, mode)
	}
	return listenLoopback(ctx, network, addr)
}

func listenLoopback(ctx context.Context, network, addr string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	refused := fmt.Errorf("listen on %s: not a loopback address: linkmilter serves only MTAs on the same host "+
		"(127.0.0.1, ::1 or localhost)", addr)
	if ip, err := netip.ParseAddr(host); err == nil && !ip.IsLoopback() || err != nil && host != "localhost" {
		return nil, refused
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	// localhost is what the system's hosts file says it is.
	if tcp, ok := l.Addr().(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		return nil, errors.Join(refused, l.Close())
	}
	return l, nil
}

func listenUnix(ctx context.Context, path string, mode fs.FileMode) (net.Listener, error) {
	if err := removeStale(path); err != nil {
		return nil, fmt.Errorf("listen on %s: %w", path, err)
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, mode); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// removeStale removes a socket that nobody listens on any more. Anything else
// at that path, a symbolic link included, is an error.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return errors.New("the file exists and is no socket")
	}
	c, err := net.DialTimeout("unix", path, staleDialTimeout)
	if err == nil {
		return errors.Join(errors.New("another process listens there"), c.Close())
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("a socket exists, and whether it is in use cannot be told: %w", err)
	}
	return os.Remove(path)
}
