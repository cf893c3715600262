package mailserver

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// maxSocketPath is the longest path of a Unix socket in bytes: sun_path of
// sockaddr_un has 108 on Linux, of which the last is a NUL.
const maxSocketPath = 107

// ParseAddr reads an address in either spelling that MTAs use for milters and
// returns the arguments for [net.Listen] or [net.Dial]: network
// is "unix", "tcp4" or "tcp6".
//
//	inet:8895@127.0.0.1    inet:127.0.0.1:8895    inet:[::1]:8895
//	inet6:8895@::1         inet6:[::1]:8895
//	unix:/run/linkmilter/milter.sock    local:/run/…    /run/…
//
// `port@host` is Sendmail's spelling (INPUT_MAIL_FILTER), `host:port` is that of
// Postfix (smtpd_milters). Ports are numbers, 0 asks the system for a free
// one. A host may be a name; an address must fit its family. The error
// quotes the address and names the problem.
func ParseAddr(s string) (network, address string, err error) {
	network, address, err = parseAddr(s)
	if err != nil {
		return "", "", fmt.Errorf("address %q: %w", s, err)
	}
	return network, address, nil
}

// WithScheme returns an address as ParseAddr reads it, with inet: before it where it
// has no scheme: SMTP servers are mostly written as host:port.
func WithScheme(address string) string {
	name, _, _ := strings.Cut(address, ":")
	if schemes[strings.ToLower(name)] != nil || strings.HasPrefix(address, "/") {
		return address
	}
	return "inet:" + address
}

// schemes are the schemes of addresses, each with the reader of what follows its colon.
var schemes = map[string]func(scheme, rest string) (network, address string, err error){
	"inet":  parseInet,
	"inet6": parseInet,
	"unix":  func(_, path string) (network, address string, err error) { return parseSocketPath(path) },
	"local": func(_, path string) (network, address string, err error) { return parseSocketPath(path) },
}

func parseAddr(s string) (network, address string, err error) {
	if strings.HasPrefix(s, "/") {
		return parseSocketPath(s)
	}
	name, rest, found := strings.Cut(s, ":")
	if !found {
		return "", "", errors.New("no scheme (want inet:, inet6:, unix: or local:)")
	}
	parse := schemes[strings.ToLower(name)]
	if parse == nil {
		return "", "", fmt.Errorf("unknown scheme %q (want inet:, inet6:, unix: or local:)", name)
	}
	return parse(strings.ToLower(name), rest)
}

func parseSocketPath(path string) (network, address string, err error) {
	switch {
	case path == "":
		return "", "", errors.New("no path (want unix:/run/linkmilter/milter.sock)")
	case strings.HasPrefix(path, "@"):
		return "", "", errors.New("abstract socket: MTAs cannot connect to it (want a path)")
	case strings.ContainsRune(path, 0):
		return "", "", errors.New("NUL in the path")
	case len(path) > maxSocketPath:
		return "", "", fmt.Errorf("path of %d bytes: too long for a Unix socket (want at most %d)", len(path), maxSocketPath)
	}
	return "unix", path, nil
}

func parseInet(scheme, rest string) (network, address string, err error) {
	host, port, err := splitInet(rest)
	if err != nil {
		return "", "", err
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", "", fmt.Errorf("port %q: not valid (want 0 to 65535)", port)
	} else {
		port = strconv.FormatUint(n, 10)
	}
	if host == "" {
		return "", "", errors.New("no host (want an address to listen on, such as 127.0.0.1)")
	}
	network = "tcp4"
	if scheme == "inet6" {
		network = "tcp6"
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		if ip.Is6() {
			// Postfix also writes IPv6 addresses after inet:.
			network = "tcp6"
		} else if scheme == "inet6" {
			return "", "", fmt.Errorf("host %q: not an IPv6 address (want inet:)", host)
		}
	} else if !isHostName(host) {
		return "", "", fmt.Errorf("host %q: not an IP address or host name (want 127.0.0.1 or localhost)", host)
	}
	return network, net.JoinHostPort(host, port), nil
}

// splitInet separates host and port in either order.
func splitInet(s string) (host, port string, err error) {
	if port, host, found := strings.Cut(s, "@"); found {
		if inner, ok := strings.CutPrefix(host, "["); ok {
			if host, ok = strings.CutSuffix(inner, "]"); !ok {
				return "", "", errors.New("missing ] after the IPv6 address")
			}
		}
		return host, port, nil
	}
	if inner, ok := strings.CutPrefix(s, "["); ok {
		host, after, found := strings.Cut(inner, "]")
		if !found {
			return "", "", errors.New("missing ] after the IPv6 address")
		}
		port, ok := strings.CutPrefix(after, ":")
		if !ok {
			return "", "", errors.New("no port after the IPv6 address")
		}
		return host, port, nil
	}
	switch strings.Count(s, ":") {
	case 0:
		if _, err := strconv.Atoi(s); err == nil {
			return "", s, nil // Sendmail's `inet:8895`; the caller refuses it: it has no host
		}
		return "", "", errors.New("no port (want port@host or host:port)")
	case 1:
		host, port, _ = strings.Cut(s, ":")
		return host, port, nil
	}
	return "", "", errors.New("IPv6 address without brackets (want inet6:[::1]:8895)")
}

// isHostName reports whether s is the name of a host and not a mistyped address,
// which must not reach the resolver. It has a letter, and may end in a dot.
func isHostName(s string) bool {
	return hostname.IsDomain(strings.TrimSuffix(s, ".")) && strings.ContainsFunc(s, ascii.IsLetter)
}
