//go:build linux

package main

// A sender hands over the messages of a stream, one at a time, and checks the replies.
type sender interface {
	send(i int) error
	close()
}
