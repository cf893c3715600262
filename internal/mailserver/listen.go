package mailserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"os/user"
	"strconv"
	"syscall"
	"time"
)

// DefaultSocketMode are the permissions of a Unix socket if none are given. With them the MTA can
// connect as a member of the socket's group.
const DefaultSocketMode fs.FileMode = 0o660

// staleDialTimeout bounds the attempt to reach the owner of an existing socket. A
// connection to a Unix socket is made or refused at once; only a
// full backlog, and so a living owner, takes longer.
const staleDialTimeout = time.Second

// ListenConfig says how to listen. The zero value holds the defaults.
type ListenConfig struct {
	// SocketMode are the permissions of a Unix socket; 0: DefaultSocketMode.
	SocketMode fs.FileMode
	// SocketGroup is the group of a Unix socket, its name or number; "": that of
	// the process. The process has to be root or a member of it.
	SocketGroup string
	// Allow are the networks that connections may come from, beside this machine;
	// without any, TCP addresses must be loopback addresses. Give the same to
	// [Options]: the server turns connections away.
	Allow []netip.Prefix
}

// Listen listens on address with the zero [ListenConfig].
func Listen(ctx context.Context, address string) (net.Listener, error) {
	return ListenConfig{}.Listen(ctx, address)
}

// Listen listens on address, written as [ParseAddr] reads it; ctx bounds
// looking up a host name only. Listen replaces a Unix socket that a dead process
// left, and never removes another file.
func (c ListenConfig) Listen(ctx context.Context, address string) (net.Listener, error) {
	if err := c.Check(address); err != nil {
		return nil, err
	}
	network, addr, err := ParseAddr(address)
	if err != nil {
		return nil, err
	}
	if network == "unix" {
		return c.listenUnix(ctx, addr)
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	// The system's hosts file may give localhost another address.
	if err := c.CheckListener(l); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// Check returns an error for an address that is malformed, or that other machines can
// reach although Allow names none. It does not listen.
func (c ListenConfig) Check(address string) error {
	network, addr, err := ParseAddr(address)
	if err != nil || network == "unix" || len(c.Allow) > 0 {
		return err
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	if ip, err := netip.ParseAddr(host); err == nil && !ip.IsLoopback() || err != nil && host != "localhost" {
		return notLoopback(addr)
	}
	return nil
}

// CheckListener is Check for a listener that another process opened.
func (c ListenConfig) CheckListener(l net.Listener) error {
	tcp, ok := l.Addr().(*net.TCPAddr)
	if !ok || len(c.Allow) > 0 || tcp.IP.IsLoopback() {
		return nil
	}
	return notLoopback(tcp.String())
}

// notLoopback is the error for an address that strangers can reach, because they could pose as an
// MTA.
func notLoopback(addr string) error {
	return fmt.Errorf("address %q: not a loopback address (want 127.0.0.1, ::1 or localhost, or the clients' networks in allow)", addr)
}

func (c ListenConfig) listenUnix(ctx context.Context, path string) (net.Listener, error) {
	group, err := c.group()
	if err != nil {
		return nil, fmt.Errorf("socket %q: %w", path, err)
	}
	if err := removeStale(path); err != nil {
		return nil, fmt.Errorf("socket %q: %w", path, err)
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if group >= 0 {
		// The group is set before the mode, so that the old group never has rights.
		err = os.Chown(path, -1, group)
	}
	if err == nil {
		err = os.Chmod(path, cmp.Or(c.SocketMode, DefaultSocketMode))
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// group returns the number of SocketGroup, -1 for none.
func (c ListenConfig) group() (int, error) {
	if c.SocketGroup == "" {
		return -1, nil
	}
	if id, err := strconv.ParseUint(c.SocketGroup, 10, 31); err == nil {
		return int(id), nil
	}
	group, err := user.LookupGroup(c.SocketGroup)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(group.Gid)
}

// removeStale removes a socket that no process listens on any more. Any other file at that path,
// even a symbolic link, is an error.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Type() != fs.ModeSocket {
		return errors.New("the file exists and is not a socket")
	}
	c, err := net.DialTimeout("unix", path, staleDialTimeout)
	if err == nil {
		return errors.Join(errors.New("another process listens there"), c.Close())
	}
	if !errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("the socket exists, and linkmilter cannot tell whether a process uses it: %w", err)
	}
	return os.Remove(path)
}
