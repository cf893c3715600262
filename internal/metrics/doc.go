// Package metrics counts what becomes of messages, for Prometheus. It consumes
// events of the milter, with the report of the filter in each.
//
// No label is taken from a message: all are codes of this program or names of
// the configuration, and there is a bound on how many of them there can be.
package metrics
