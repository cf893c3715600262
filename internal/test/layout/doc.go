// Package layout has the tests that keep the shape of the project: which package may import which,
// and that the files of a package use each other one way. It has no code of its own.
package layout
