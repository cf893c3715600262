// Package logging writes the log of the service: as text, as JSON, or in the
// style that systemd's journal reads.
//
// It knows formats only. Callers choose the attributes, and escape text of messages.
package logging
