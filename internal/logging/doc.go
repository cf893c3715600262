// Package logging writes the log of the service: as text, as JSON, or in the
// style that systemd's journal reads.
//
// It knows formats only. What is logged, and that nothing in it comes from a
// message unescaped, is the business of whoever logs.
package logging
