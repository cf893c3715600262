// Package quarantine reads, releases and deletes the messages that the content filter
// keeps in a Maildir.
package quarantine
