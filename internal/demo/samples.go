package demo

import "embed"

// samples are messages from clients on this machine.
//
//go:embed samples/*.eml
var samples embed.FS

// traffic are messages from strangers.
//
//go:embed traffic/*.eml
var traffic embed.FS

// The clients of sample mail: one on this machine and a stranger.
const here, elsewhere = "127.0.0.1", "192.0.2.1"
