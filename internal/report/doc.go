// Package report describes what linkmilter found in a message and did with it. The
// filter writes a [Report]; servers, metrics, the log and the commands read it.
//
// The package has values, their counts and their names. It makes no decisions: the rules,
// the limits and the reasons belong to package filter.
package report
