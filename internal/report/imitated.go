package report

import (
	"regexp"

	"github.com/linkmilter/linkmilter/policy"
)

// imitatedName finds the name in the detail of a finding, by its code.
var imitatedName = map[policy.Code]*regexp.Regexp{
	policy.CodeLookalike:          regexp.MustCompile(`(?:(?:looks|begins) like|the name of)(?: your| the popular site)? (?:www\.)?([^ ]+\.[^ .]+)`),
	policy.CodeTextTargetMismatch: regexp.MustCompile(`^the (?:text|label) names ([^ ]+\.[^ .,]+),`),
	policy.CodeDisplayName:        regexp.MustCompile(`^the sender is called ([^ ]+\.[^ .,]+),`),
}

// Imitated returns the domain that a host looks like, or that the text of a link or a
// sender's name says in place of another, by a finding; "" for other findings. A text or a
// name that is only low, as in newsletters that count clicks, does not imitate.
func Imitated(f policy.Finding) string {
	name := imitatedName[f.Code]
	if name == nil || f.Code != policy.CodeLookalike && f.Severity < policy.SeverityMedium {
		return ""
	}
	if found := name.FindStringSubmatch(f.Detail); found != nil {
		return found[1]
	}
	return ""
}
