package report

import (
	"strings"

	"github.com/linkmilter/linkmilter/policy"
)

// Imitated returns the name that a finding of [policy.CodeLookalike] says a host looks
// like, or "" for other findings and names.
func Imitated(f policy.Finding) string {
	if f.Code != policy.CodeLookalike {
		return ""
	}
	_, name, ok := strings.Cut(f.Detail, "looks like ")
	if !ok {
		return ""
	}
	name = strings.TrimPrefix(name, "the popular site ")
	name, _, _ = strings.Cut(name, " ")
	return name
}
