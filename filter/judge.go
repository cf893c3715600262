package filter

import (
	"slices"
	"strings"
	"sync"

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

// maxRuleJudges bounds the judges that a filter keeps. Each takes about 100 KiB.
const maxRuleJudges = 256

// ruleJudges makes the judges for rules with lists of hosts or domains. Several
// goroutines may use it at once.
type ruleJudges struct {
	base   *judge // for rules without lists
	policy policy.Options

	mu     sync.Mutex
	byName map[string]*judge // by the name of the rule
}

// of returns the judge for messages of a rule. The name of the rule stands for its
// lists, also where several rules were merged.
func (js *ruleJudges) of(u *rule.Rule) *judge {
	byRule := js.policy.Lists != nil && js.policy.Lists.ByRule()
	if len(u.Protected) == 0 && len(u.Allow) == 0 && len(u.Block) == 0 && !byRule {
		return js.base
	}
	js.mu.Lock()
	defer js.mu.Unlock()
	if j, ok := js.byName[u.Name]; ok {
		return j
	}
	j, err := js.make(u)
	if err != nil {
		panic(err) // New validated the lists
	}
	if len(js.byName) < maxRuleJudges {
		if js.byName == nil {
			js.byName = make(map[string]*judge)
		}
		js.byName[u.Name] = j
	}
	return j
}

// make returns a judge with the lists of the filter and those of a rule.
func (js *ruleJudges) make(u *rule.Rule) (*judge, error) {
	j := *js.base
	o := js.policy
	if o.Lists != nil {
		o.Lists = o.Lists.Of(u.Name)
	}
	o.Protected = slices.Concat(o.Protected, u.Protected)
	o.Block = slices.Concat(o.Block, u.Block)
	o.Allow = slices.Concat(o.Allow, u.Allow)
	var err error
	if j.allow, err = domains(o.Allow); err != nil {
		return nil, err
	}
	j.policy, err = policy.New(o)
	return &j, err
}

// validateLists refuses a rule with a line that is not valid.
func validateLists(u *rule.Rule) error {
	_, err := policy.New(policy.Options{Protected: u.Protected, Block: u.Block, Allow: u.Allow, WithoutBrands: true})
	return err
}

// domains returns the set of lines such as `example.com 2027-01-31`.
func domains(lines []string) (pattern.Domains, error) {
	var set pattern.Domains
	for _, line := range lines {
		if err := set.AddLine(line); err != nil {
			return set, err
		}
	}
	return set, nil
}
