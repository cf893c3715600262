// Package admin answers monitoring over HTTP: metrics, health and readiness; and
// Go's profiler on a Unix socket.
//
// It knows HTTP and whom to answer. It must not know what the metrics say, or
// what makes the service healthy: both are handed to it.
package admin
