// Package mailserver has the parts that the milter and the content filter share:
// listeners, allowed clients, limits for connections and memory, the deadline of the
// filter, and the log line and event of each message.
//
// It is a part of the program, not a library. It knows sockets, memory, time and
// the filter's result. It must not know the milter protocol or SMTP: a protocol
// gives it a function that makes a [Conn] of each accepted socket.
package mailserver
