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

// Canonicalization is DKIM's canonicalization of header and body: "relaxed/simple".
type Canonicalization string

// UnmarshalText reads the two names.
func (c *Canonicalization) UnmarshalText(text []byte) error {
	known := []string{"relaxed/relaxed", "relaxed/simple", "simple/relaxed", "simple/simple"}
	if !slices.Contains(known, string(text)) {
		return fmt.Errorf("unknown value %q: it is one of %s", text, strings.Join(known, ", "))
	}
	*c = Canonicalization(text)
	return nil
}

// String returns the two names.
func (c Canonicalization) String() string { return string(c) }

// LogFormat is the format of the log.
type LogFormat string

// The formats of the log.
const (
	LogAuto    LogFormat = "auto" // LogJournal if systemd reads standard error, else LogText
	LogText    LogFormat = "text"
	LogJSON    LogFormat = "json"
	LogJournal LogFormat = "journal"
)

// UnmarshalText reads the name of a format.
func (f *LogFormat) UnmarshalText(text []byte) error {
	return oneOf(f, text, LogAuto, LogText, LogJSON, LogJournal)
}

// LogLevel is the lowest level that is logged.
type LogLevel slog.Level

// UnmarshalText reads the name of a level, in any case.
func (l *LogLevel) UnmarshalText(text []byte) error {
	names := []string{"debug", "info", "warn", "error"}
	if !slices.Contains(names, strings.ToLower(string(text))) {
		return fmt.Errorf("unknown value %q: it is one of %s", text, strings.Join(names, ", "))
	}
	return (*slog.Level)(l).UnmarshalText(text)
}

// String returns the name of the level.
func (l LogLevel) String() string { return strings.ToLower(slog.Level(l).String()) }

// MailProtocol is the protocol of a listener or the next hop.
type MailProtocol string

// The protocols.
const (
	SMTP MailProtocol = "smtp"
	LMTP MailProtocol = "lmtp"
)

// UnmarshalText reads the name of a protocol.
func (p *MailProtocol) UnmarshalText(text []byte) error { return oneOf(p, text, SMTP, LMTP) }

// BareLineEnds is the treatment of messages with a bare CR or LF.
type BareLineEnds string

// The treatments of such messages.
const (
	BareRefuse      BareLineEnds = "refuse"
	BarePassThrough BareLineEnds = "pass-through"
)

// UnmarshalText reads the name of a treatment.
func (b *BareLineEnds) UnmarshalText(text []byte) error {
	return oneOf(b, text, BareRefuse, BarePassThrough)
}

// NextHopTLS is the use of STARTTLS to the next hop.
type NextHopTLS string

// The uses of STARTTLS.
const (
	TLSNever   NextHopTLS = "never"
	TLSMay     NextHopTLS = "may"
	TLSRequire NextHopTLS = "require"
)

// UnmarshalText reads the name of a use.
func (t *NextHopTLS) UnmarshalText(text []byte) error {
	return oneOf(t, text, TLSNever, TLSMay, TLSRequire)
}

// oneOf sets target to text if that is one of the values.
func oneOf[T ~string](target *T, text []byte, values ...T) error {
	if !slices.Contains(values, T(text)) {
		names := make([]string, len(values))
		for i, value := range values {
			names[i] = string(value)
		}
		return fmt.Errorf("unknown value %q: it is one of %s", text, strings.Join(names, ", "))
	}
	*target = T(text)
	return nil
}

// Network is an IP network, or one address.
type Network netip.Prefix

// UnmarshalText reads 10.0.0.0/8, fd00::/8, or a single address.
func (n *Network) UnmarshalText(text []byte) error {
	if address, err := netip.ParseAddr(string(text)); err == nil && address.Zone() == "" {
		*n = Network(netip.PrefixFrom(address, address.BitLen()))
		return nil
	}
	prefix, err := netip.ParsePrefix(string(text))
	if err != nil {
		return fmt.Errorf("network %q: not valid (want 10.0.0.0/8, fd00::/8 or an address)", text)
	}
	if prefix != prefix.Masked() {
		return fmt.Errorf("network %s: has bits beyond its prefix (want %s)", prefix, prefix.Masked())
	}
	*n = Network(prefix)
	return nil
}

// String writes the network with the length of its prefix.
func (n Network) String() string { return netip.Prefix(n).String() }

func prefixes(networks []Network) []netip.Prefix {
	var list []netip.Prefix
	for _, n := range networks {
		list = append(list, netip.Prefix(n))
	}
	return list
}

func networks(prefixes []netip.Prefix) []Network {
	var list []Network
	for _, p := range prefixes {
		list = append(list, Network(p))
	}
	return list
}
