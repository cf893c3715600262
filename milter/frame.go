package milter

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"net/netip"
	"strings"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// maxPacket bounds a packet, command byte included, in bytes: which is also the limit of go-milter.
// MTAs send at most 65,536 unless they were asked for more.
const maxPacket = 1 << 20

// Commands that go-milter does not know.
const (
	codeUnknown gomilter.Code = 'U' // SMFIC_UNKNOWN: an SMTP command the MTA does not know
)

// packet is one command of the MTA: the command byte and its data, valid until
// the next one is read.
type packet struct {
	code gomilter.Code
	data []byte
}

// check returns an error for a malformed packet. go-milter parses all other packets
// without an error and as the MTA meant them.
func (p packet) check() error {
	switch p.code {
	case gomilter.CodeConn:
		return checkConnect(p.data)
	case gomilter.CodeMacro:
		if len(p.data) == 0 {
			return malformed("macros for no command")
		}
		if len(p.data) > 1 && p.data[len(p.data)-1] != 0 {
			return malformed("unterminated macro")
		}
	case gomilter.CodeHelo, gomilter.CodeMail, gomilter.CodeRcpt:
		if len(p.data) == 0 || p.data[len(p.data)-1] != 0 {
			return malformed("unterminated string in %q", p.code)
		}
	case gomilter.CodeHeader:
		return checkHeader(p.data)
	case gomilter.CodeEOH, gomilter.CodeBody, gomilter.CodeEOB, gomilter.CodeAbort,
		gomilter.CodeData, gomilter.CodeQuit, gomilter.CodeQuitNewConn, codeUnknown:
	case gomilter.CodeOptNeg:
		return malformed("options negotiated twice")
	default:
		return malformed("unknown command %q", byte(p.code))
	}
	return nil
}

func checkConnect(data []byte) error {
	_, rest, found := bytes.Cut(data, []byte{0})
	if !found || len(rest) == 0 {
		return malformed("connect without host name or family")
	}
	switch family, rest := gomilter.ProtoFamily(rest[0]), rest[1:]; family {
	case gomilter.FamilyInet, gomilter.FamilyInet6:
		// port (2 bytes), address, NUL
		if len(rest) < 3 || rest[len(rest)-1] != 0 {
			return malformed("connect without port or address")
		}
	case gomilter.FamilyUnknown, gomilter.FamilyUnix:
	default:
		return malformed("connect with unknown family %q", byte(family))
	}
	return nil
}

// checkHeader returns an error unless there are exactly two strings. After a surplus NUL
// go-milter would send a reply that was not negotiated, and later replies would belong to
// the wrong commands.
func checkHeader(data []byte) error {
	name, value, found := bytes.Cut(data, []byte{0})
	switch {
	case len(name) == 0:
		return malformed("header field without a name")
	case !found || len(value) == 0 || value[len(value)-1] != 0:
		return malformed("unterminated header field")
	case bytes.IndexByte(value, 0) != len(value)-1:
		return malformed("NUL in a header field")
	}
	return nil
}

// args returns the strings of a MAIL or RCPT command after the address: the
// parameters, which go-milter drops.
func (p packet) args() iter.Seq[string] {
	return func(yield func(string) bool) {
		_, rest, _ := bytes.Cut(p.data, []byte{0})
		for len(rest) > 0 {
			var arg []byte
			arg, rest, _ = bytes.Cut(rest, []byte{0})
			if !yield(string(arg)) {
				return
			}
		}
	}
}

// macros has the last macro packet and the command for which it is. MTAs send it just before that
// command, so for any other command it would be out of date.
type macros struct {
	stage gomilter.Code
	data  []byte
}

// all yields the macros if they belong to stage. It removes the braces of names, since MTAs write
// `i` but `{auth_authen}`.
func (m macros) all(stage gomilter.Code) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		if m.stage != stage {
			return
		}
		rest := m.data
		for len(rest) > 0 {
			var name, value []byte
			name, rest, _ = bytes.Cut(rest, []byte{0})
			value, rest, _ = bytes.Cut(rest, []byte{0})
			if !yield(strings.Trim(string(name), "{}"), string(value)) {
				return
			}
		}
	}
}

// packetLength reads the length of a packet from its first four bytes and
// checks it.
func packetLength(head []byte) (int, error) {
	n := binary.BigEndian.Uint32(head)
	if n == 0 || n > maxPacket {
		return 0, malformed("packet of %d bytes", n)
	}
	return int(n), nil
}

// malformed returns a failure with the code "malformed".
func malformed(format string, args ...any) error {
	return &mailserver.Failure{Code: "malformed", Detail: fmt.Sprintf(format, args...)}
}

// client returns the address in a CONNECT packet, or the zero Addr.
func (p packet) client() netip.Addr {
	_, rest, _ := strings.Cut(string(p.data), "\x00")
	if len(rest) < 3 || rest[0] != byte(gomilter.FamilyInet) && rest[0] != byte(gomilter.FamilyInet6) {
		return netip.Addr{}
	}
	address, _, _ := strings.Cut(rest[3:], "\x00")
	return parseClient(address)
}

// parseClient reads an address as MTAs write it: IPv4, IPv6, or, from Sendmail, `IPv6:` and an IPv6
// address (RFC 5321 §4.1.3).
func parseClient(s string) netip.Addr {
	const tag = "IPv6:"
	if ascii.HasPrefixFold(s, tag) {
		s = s[len(tag):]
	}
	addr, err := netip.ParseAddr(s)
	if err != nil {
		return netip.Addr{}
	}
	return addr.Unmap()
}
