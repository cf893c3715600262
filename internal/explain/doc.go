// Package explain reads a line as a link, a host or an address, judges it as the filter
// does, and writes the result as a record for other programs. The command explain prints
// it for people, too, and the HTTP API answers with it.
package explain
