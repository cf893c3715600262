package filter

import (
	"slices"
	"sync"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/policy"
)

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
	if len(u.Protected) == 0 && len(u.Allow) == 0 && len(u.Block) == 0 {
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
