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

// judges returns what the peer must do with messages, and whether linkmilter's speed is judged
// beside the peer's: OpenDKIM's work is the signature, a new one or that of the message.
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
