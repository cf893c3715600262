//go:build linux

package main

// A part is a measurement that can be asked for by its name.
type part struct {
	name, about string
	measure     func(*run)
}

// parts are all measurements, in their order.
func parts() []part {
	return []part{
		{"mixed", "mixed mail by milter (Unix socket, TCP) and SMTP, and to each peer", (*run).mixed},
		{"speed", "4 KB without links, 10 KB edited and a newsletter, flat out, beside each peer", (*run).speed},
		{"cores", "10 KB edited, by one, two and sixteen threads of Go", (*run).cores},
		{"latency", "10 KB with links at half of linkmilter's peak, beside the no-op milter", (*run).latency},
		{"postfix", "what linkmilter and the no-op milter add to the time that Postfix takes", (*run).postfix},
		{"memory", "memory while 200 connections send 10 MB each", (*run).memory},
		{"idle", "memory of 1,000 open connections without mail", (*run).idle},
		{"growth", "memory during 15 minutes", (*run).growth},
	}
}
