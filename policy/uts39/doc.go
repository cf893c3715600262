// Package uts39 implements the detection mechanisms of UTS #39, Unicode
// Security Mechanisms: resolved script sets, restriction levels, mixed
// numbers, confusable skeletons and whole-script confusables.
//
// Each function takes a string that the caller has normalised, and does not
// split, decode or case-fold it. A string is, for example, one label of a
// domain name.
//
// The package knows strings and code points. It must not know hosts, links,
// mail, or the consequences of a result.
package uts39
