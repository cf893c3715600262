// Package mailserver holds what the milter and the content filter share: where
// they listen, who may connect, how many connections and how much memory they
// use, how long the filter may work on a message, and what the log, the metrics
// and an observer learn of it.
//
// It is a part of the program, not a library. It knows sockets, memory, time and
// the filter's result. It must not know the milter protocol or SMTP: a protocol
// gives it a function that makes a [Conn] of each accepted socket.
package mailserver
