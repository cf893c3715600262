// Package admin answers monitoring over HTTP: metrics, health and readiness; and
// Go's profiler on a Unix socket.
//
// It knows HTTP and which requests to answer. It must not know the metrics or the
// conditions of health: the caller passes a handler and a function for them.
package admin
