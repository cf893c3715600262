// Package sqlfile opens SQLite files of linkmilter, one for each kind of knowledge, and
// says what is wrong with those that it cannot use.
package sqlfile
