// Package policy judges links as a careful browser does: by UTS #39 and UTS #46,
// by further rules of browsers, and by likeness to domains that phishing often
// imitates.
//
// A Judge takes links of package engine and returns findings. The package must
// not know messages. It does not act on a finding, and makes no network request.
package policy
