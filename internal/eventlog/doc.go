// Package eventlog reads the log of the service: the lines about messages, as text or
// JSON, from files or from systemd's journal.
//
// It knows the names of the attributes that package mailserver writes. It ignores lines
// about anything else.
package eventlog
