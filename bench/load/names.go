//go:build linux

package main

// The names of the peers.
const (
	peerNoop   = "noop"
	peerSign   = "opendkim-sign"
	peerVerify = "opendkim-verify"
	peerRspamd = "rspamd"
)

// peerNames are all of them, in the order of the tables.
var peerNames = []string{peerNoop, peerSign, peerVerify, peerRspamd}
