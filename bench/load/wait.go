//go:build linux

package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// waitUntil waits for a time more exactly than package time, whose timers may be late by a
// millisecond. That millisecond would count as the server's.
func waitUntil(due time.Time) {
	for {
		left := time.Until(due)
		if left <= 0 {
			return
		}
		sleep := unix.NsecToTimespec(left.Nanoseconds())
		_ = unix.Nanosleep(&sleep, nil) // a signal ends it early
	}
}
