package filter

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// judge judges links and decides how they are shown.
type judge struct {
	policy  *policy.Judge
	finder  *finder
	display display
	allow   pattern.Domains // hosts that are never flagged
}

// verdict judges a link, an address or a suspect by itself.
func (j *judge) verdict(link engine.Link) policy.Verdict {
	if j.allows(link) {
		return policy.Verdict{DisplayUnicode: true}
	}
	return j.policy.Link(link)
}

// ofHost judges a host, in A-labels, as a link that has nothing else.
func (j *judge) ofHost(host string) policy.Verdict {
	link, err := engine.ParseLink("http://" + host)
	if err != nil {
		return policy.Verdict{}
	}
	return j.verdict(link)
}

// allows reports whether the operator allows the host of a link.
func (j *judge) allows(link engine.Link) bool {
	if j.allow.Empty() {
		return false
	}
	host := strings.TrimSuffix(link.ASCIIHost(), ".")
	return host != "" && j.allow.Has(host)
}

// judged judges a link. more are findings that do not follow from the link alone.
func (j *judge) judged(link engine.Link, more ...policy.Finding) report.Found {
	found := report.Found{Link: link, Verdict: j.verdict(link)}
	found.Verdict.Findings = append(found.Verdict.Findings, more...)
	return found
}

// found judges a link and decides how it is shown. more are findings that do not
// follow from the link alone.
func (j *judge) found(part string, link engine.Link, flagged rule.Flagged, more ...policy.Finding) report.Found {
	link.Text = strings.Clone(link.Text) // a report keeps no slices of a message
	found := j.judged(link, more...)
	found.Part = part
	j.display.show(&found, flagged)
	if found.Broken = len(link.Text) != link.End-link.Start; found.Broken {
		found.Linked = false
	}
	return found
}

// tooLong reports whether only the host of the link was judged.
func tooLong(l report.Found) bool { return l.Link.Reason == engine.ReasonTooLong && l.Broken }
