// Package correspondents learns whom the operator's users write to: the domains, and keyed hashes of the
// addresses. It keeps them in an SQLite file and, for lookups, in memory.
//
// It never makes mail wait, and a full or broken disk costs knowledge alone.
package correspondents
