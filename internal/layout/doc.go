// Package layout holds the tests that keep the shape of the project: which
// package may import which. It has no code of its own.
package layout
