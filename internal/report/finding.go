package report

import (
	"slices"

	"github.com/linkmilter/linkmilter/policy"
)

// Codes of findings about a message. Those about a link are package policy's.
const (
	CodeUnreadable  policy.Code = "unreadable"   // nothing of the message could be read
	CodeOpaque      policy.Code = "opaque"       // contents are not read although they may hold links, such as a PDF
	CodePartial     policy.Code = "partial"      // something of the message could not be read
	CodeMalformed   policy.Code = "malformed"    // the form of the message is broken, and it was read as programs show it
	CodeForgedField policy.Code = "forged-field" // too many fields that claim our id to remove them
	// CodeUnalignedLink: the message is known to be from the domain in its From and has
	// a link to another.
	CodeUnalignedLink policy.Code = "unaligned-link"
)

// Worst returns the worst finding among those about the message, except those with
// the codes to skip, and those about links that open something.
func Worst(findings []policy.Finding, links []Found, skip ...policy.Code) policy.Finding {
	var worst policy.Finding
	for _, f := range findings {
		if f.Severity > worst.Severity && !slices.Contains(skip, f.Code) {
			worst = f
		}
	}
	for i := range links {
		if links[i].Repaired {
			continue
		}
		for _, f := range links[i].Verdict.Findings {
			if f.Severity > worst.Severity {
				worst = f
			}
		}
	}
	return worst
}
