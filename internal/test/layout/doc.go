// Package layout has the tests that keep the shape of the project: which package may import which,
// what the libraries pull in, and that they are documented. It has no code of its own.
package layout
