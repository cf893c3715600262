// Package record writes what was found in a message or a text as records for other
// programs: one for each link, and for each finding about the message itself. The names
// of their fields in JSON are a contract. The command scan prints records, and the HTTP
// API answers with them.
package record
