// Package metrics counts messages, findings, edits and actions for Prometheus. It reads
// the events of the servers, each with the report of the filter.
//
// Labels are codes of this program and names in the configuration, never text of a
// message, so their number is bounded.
package metrics
