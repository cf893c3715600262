// Package api compares the exported names of the libraries with those in testdata, which
// programs rely on.
package api
