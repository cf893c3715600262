// Package mta is the part of a mail server that speaks to milters: it hands a message
// to a milter and returns it with the changes that the milter asked for.
package mta
