// Package layout has the tests that keep the shape of the project: which package may import which,
// what of the standard library each may know, and what the libraries pull in. It has no code of its
// own.
package layout
