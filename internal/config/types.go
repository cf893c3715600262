package config

import (
	"fmt"
	"io/fs"
	"log/slog"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// SocketMode are the permissions of a Unix socket, written in octal: "0660".
type SocketMode fs.FileMode

// UnmarshalText reads permissions.
func (m *SocketMode) UnmarshalText(text []byte) error {
	mode, err := strconv.ParseUint(string(text), 8, 32)
	if err != nil || mode == 0 || mode > 0o777 {
		return fmt.Errorf("permissions %q: not valid (want octal, such as \"0660\")", text)
	}
	*m = SocketMode(mode)
	return nil
}

// String writes the permissions in octal.
func (m SocketMode) String() string { return fmt.Sprintf("%04o", uint32(m)) }

// LogLevel is the lowest level that is logged.
type LogLevel slog.Level

var logLevels = []string{"debug", "info", "warn", "error"}

// UnmarshalText reads the name of a level, in any case.
func (l *LogLevel) UnmarshalText(text []byte) error {
	if !slices.Contains(logLevels, strings.ToLower(string(text))) {
		return fmt.Errorf("level %q: unknown", text) // such as "info+1"
	}
	return (*slog.Level)(l).UnmarshalText(text)
}

// String returns the name of the level.
func (l LogLevel) String() string { return strings.ToLower(slog.Level(l).String()) }

// readNetwork reads 10.0.0.0/8, fd00::/8, or a single address.
func readNetwork(text string) (netip.Prefix, error) {
	if address, err := netip.ParseAddr(text); err == nil && address.Zone() == "" {
		address = address.Unmap() // clients are compared without that form
		return netip.PrefixFrom(address, address.BitLen()), nil
	}
	prefix, err := netip.ParsePrefix(text)
	if err != nil {
		return prefix, fmt.Errorf("network %q: not valid (want 10.0.0.0/8, fd00::/8 or an address)", text)
	}
	if address := prefix.Addr(); address.Is4In6() && prefix.Bits() >= 96 {
		return prefix, fmt.Errorf("network %q: matches no client, since IPv4 addresses are compared as such (want %q)",
			prefix, netip.PrefixFrom(address.Unmap(), prefix.Bits()-96).Masked())
	}
	if prefix != prefix.Masked() {
		return prefix, fmt.Errorf("network %q: has bits beyond its prefix (want %s)", prefix, prefix.Masked())
	}
	return prefix, nil
}
