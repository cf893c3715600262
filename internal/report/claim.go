package report

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/policy"
)

// evidenceFrom separates the two halves of the detail of a finding of CodeClaim.
const evidenceFrom = ": sent "

// A Claim has the two halves of a finding of CodeClaim, which people compare.
type Claim struct {
	Said     string // "calls itself Ledger; nothing in the mail belongs to ledger.com"
	Evidence string // "sent by evalora-host.com, links to pages.dev"
	Allow    string // the line of policy.allow for the sender; "" without one, as for a forged From
}

// ClaimOf returns the claim of a finding, if it is one of CodeClaim.
func ClaimOf(f policy.Finding) (Claim, bool) {
	said, evidence, ok := strings.Cut(f.Detail, evidenceFrom)
	if f.Code != CodeClaim || !ok {
		return Claim{}, false
	}
	c := Claim{Said: said, Evidence: strings.TrimPrefix(evidenceFrom, ": ") + evidence}
	by, _, _ := strings.Cut(evidence, ", ")
	domain, isKnown := strings.CutPrefix(by, "by ") // not "as paypal.com, which failed DMARC": a line would allow forgeries
	if isOfSender := strings.HasPrefix(said, "calls itself"); isKnown && isOfSender && f.Label != "" && strings.Contains(domain, ".") {
		c.Allow = pattern.Pair(f.Label, domain)
	}
	return c, true
}
