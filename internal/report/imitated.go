package report

import (
	"regexp"

	"github.com/linkmilter/linkmilter/policy"
)

// imitatedName finds the name in the detail of a [policy.CodeLookalike].
var imitatedName = regexp.MustCompile(`(?:(?:looks|begins) like|the name of)(?: your| the popular site)? (?:www\.)?([^ ]+\.[^ .]+)`)

// Imitated returns the name that a finding of [policy.CodeLookalike] says a host looks
// like, or "" for other findings.
func Imitated(f policy.Finding) string {
	if f.Code != policy.CodeLookalike {
		return ""
	}
	if found := imitatedName.FindStringSubmatch(f.Detail); found != nil {
		return found[1]
	}
	return ""
}
