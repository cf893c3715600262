package report

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/policy"
)

// evidenceFrom separates the two halves of the detail of a finding of CodeClaim.
const evidenceFrom = ": sent by "

// A Claim has the two halves of a finding of CodeClaim, which people compare.
type Claim struct {
	Said     string // "calls itself Ledger; nothing in the mail belongs to ledger.com"
	Evidence string // "sent by evalora-host.com, links to pages.dev"
	Allow    string // the line of policy.allow that would allow the sender; "" if there is none
}

// ClaimOf returns the claim of a finding, if it is one of CodeClaim.
func ClaimOf(f policy.Finding) (Claim, bool) {
	said, evidence, ok := strings.Cut(f.Detail, evidenceFrom)
	if f.Code != CodeClaim || !ok {
		return Claim{}, false
	}
	c := Claim{Said: said, Evidence: strings.TrimPrefix(evidenceFrom, ": ") + evidence}
	domain, _, _ := strings.Cut(evidence, ", ")
	if isOfSender := strings.HasPrefix(said, "calls itself"); isOfSender && f.Label != "" && strings.Contains(domain, ".") {
		c.Allow = pattern.Pair(f.Label, domain)
	}
	return c, true
}
