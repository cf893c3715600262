// Package policy judges links as a careful browser would: by UTS #39 and
// UTS #46, by what browsers have learnt beside them, and by likeness to
// domains that are often impersonated.
//
// It knows links of package engine and turns them into findings. It must not
// know messages, and does nothing about a finding: it never looks anything up
// in the network.
package policy
