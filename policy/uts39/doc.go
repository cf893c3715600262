// Package uts39 implements the detection mechanisms of UTS #39, Unicode
// Security Mechanisms, in the version of package ucd: resolved script sets,
// restriction levels, mixed numbers, confusable skeletons and whole-script
// confusables.
//
// It judges strings as they are: normalised by the caller, and not split,
// decoded or case-folded. A label of a domain name is a string.
//
// It knows strings and code points. It must not know hosts, links, mail, or
// what is done about a result.
package uts39
