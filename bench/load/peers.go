//go:build linux

package main

import "slices"

// startPeers starts those that were asked for, once, and returns the key of those that sign.
func (r *run) startPeers() (*signingKey, []peer) {
	r.Helper()
	if r.key != nil {
		return r.key, r.started
	}
	r.key = newSigningKey(r)
	for _, name := range peerNames {
		if !slices.Contains(r.peers, name) {
			continue
		}
		p := peer{name: name}
		switch name {
		case peerNoop:
			p.program, p.address = startNoop(r)
		case peerSign, peerVerify:
			p.program, p.address = startOpenDKIM(r, r.key, name == peerSign)
		case peerRspamd:
			p.program, p.address = startRspamd(r)
		}
		r.started = append(r.started, p)
	}
	return r.key, r.started
}
