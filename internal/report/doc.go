// Package report describes what linkmilter found in a message and did with it. The
// filter writes a [Report]; servers, metrics, the log and the commands read it.
//
// The package has values, their counts and their words. It does not decide anything: the
// rules, the limits and the reasons are package filter's.
package report
