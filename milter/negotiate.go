package milter

import (
	"encoding/binary"
	"fmt"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// The protocol versions served. All MTAs since Sendmail 8.11 and Postfix 2.3 offer
// minVersion; Sendmail 8.14 and Postfix 2.6 brought maxVersion.
const (
	minVersion = 2
	maxVersion = 6
)

// wantedActions are the actions that the filter may ask for.
const wantedActions = gomilter.OptAddHeader | gomilter.OptChangeHeader | gomilter.OptChangeBody | gomilter.OptQuarantine

// wantedProtocol asks the MTA to leave out all packets and replies that can safely be left out.
//
// There are no replies before the end of the header, because nothing is decided there. The end of
// the header and the end of the message always get a reply. DATA is not sent at all, rather than
// sent without a reply. Both Sendmail and Postfix stay in step with exactly these options. Without
// replies to body chunks a message that has grown too large cannot be cut short, so the rest is
// read and thrown away; that costs memory bandwidth only, while a reply costs each message a round
// trip.
const wantedProtocol = gomilter.OptNoConnReply | gomilter.OptNoHeloReply | gomilter.OptNoMailReply |
	gomilter.OptNoRcptReply | gomilter.OptNoHeaderReply | gomilter.OptNoBodyReply |
	gomilter.OptNoUnknown | gomilter.OptNoData | gomilter.OptSkip | gomilter.OptHeaderLeadingSpace

// grant is the result of a connection's negotiation. The session uses no action and no step of
// the protocol that the MTA did not grant.
type grant struct {
	version  uint32 // the lower one of the MTA's version and ours
	actions  gomilter.OptAction
	protocol gomilter.OptProtocol
}

// negotiate reads the MTA's offer (version, actions, protocol: three 32-bit
// numbers in the data of an OPTNEG packet) and returns the part of it that is used.
func negotiate(p packet) (grant, error) {
	if p.code != gomilter.CodeOptNeg {
		return grant{}, malformed("command %q before options were negotiated", byte(p.code))
	}
	if len(p.data) < 12 {
		return grant{}, malformed("option negotiation of %d bytes", len(p.data))
	}
	version := binary.BigEndian.Uint32(p.data)
	if version < minVersion {
		return grant{}, &mailserver.Failure{Code: "version", Detail: fmt.Sprintf("the MTA offers milter protocol version %d, "+
			"at least %d is needed", version, minVersion)}
	}
	g := grant{
		version:  min(version, maxVersion),
		actions:  wantedActions & gomilter.OptAction(binary.BigEndian.Uint32(p.data[4:])),
		protocol: wantedProtocol & gomilter.OptProtocol(binary.BigEndian.Uint32(p.data[8:])),
	}
	if g.protocol&gomilter.OptNoBodyReply != 0 {
		// SKIP is a reply.
		g.protocol &^= gomilter.OptSkip
	}
	return g, nil
}

// packet returns the reply to the offer.
func (g grant) packet() []byte {
	p := []byte{0, 0, 0, 13, byte(gomilter.CodeOptNeg)}
	p = binary.BigEndian.AppendUint32(p, g.version)
	p = binary.BigEndian.AppendUint32(p, uint32(g.actions))
	return binary.BigEndian.AppendUint32(p, uint32(g.protocol))
}

// may reports whether all the actions were granted.
func (g grant) may(actions gomilter.OptAction) bool { return g.actions&actions == actions }

// has reports whether a protocol option was granted.
func (g grant) has(option gomilter.OptProtocol) bool { return g.protocol&option != 0 }

// reply returns the reply to a command. It is nil, which for go-milter means no reply, exactly if
// the MTA granted that.
func (g grant) reply(noReply gomilter.OptProtocol) gomilter.Response {
	if g.has(noReply) {
		return nil
	}
	return gomilter.RespContinue
}
