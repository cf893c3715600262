// Package faults tests that no mail is lost, damaged or doubled under any fault of linkmilter. It
// runs the real program between clients that try again and a next hop that takes everything, and
// does harm to it: kills it, fills its disk, corrupts its files. It has tests only.
//
// `make soak` does so for hours, with faults drawn at random.
package faults
