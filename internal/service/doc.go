// Package service runs linkmilter: it opens the listeners, starts the servers with
// the filter of the configuration, replaces the filter when the configuration or the
// list of top-level domains changes, and reports its state to systemd and monitoring.
//
// It handles signals, passed sockets, and the order of starting and stopping. It must
// not know the content of messages or rules.
package service
