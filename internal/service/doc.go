// Package service runs linkmilter: it opens the listeners, puts the filter of
// the configuration behind the milter, replaces it when the configuration or the
// list of top-level domains changes, and tells systemd and monitoring how it is.
//
// It knows processes: signals, sockets that were passed, the order of starting
// and stopping. It must not know what is in a message or what rules say.
package service
