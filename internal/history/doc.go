// Package history keeps flagged messages for the page of operators: the newest in memory
// and, with a file, the older ones in SQLite, where they survive a restart.
//
// It never makes mail wait. A goroutine writes the file; messages that it cannot write
// are counted and lost.
package history
