//go:build linux

package main

// A peer is a milter that linkmilter is compared with.
type peer struct {
	name    string
	program *program
	address string
}

// server returns the peer as a server that gets the messages.
func (p peer) server(mails stream, j judge) *server {
	return &server{name: p.program.name, program: p.program, connect: newMilter(p.address, mails, j).connect}
}

// judges returns the judge of the peer's replies, and whether to compare linkmilter's speed with
// the peer's. OpenDKIM is compared by its work on signatures: making one, or verifying that of the
// message.
func (p peer) judges(signed bool) (j judge, beside bool) {
	switch p.name {
	case peerNoop:
		return untouched, false
	case peerSign:
		return adds("DKIM-Signature", "d="+domain), !signed
	case peerVerify:
		if signed {
			return adds("Authentication-Results", "dkim=pass"), true
		}
	}
	return keepsBody, false
}
