// Package judge finds links in texts. It judges each by package policy, alone and against the text that
// is shown for it, and decides how the link is shown.
//
// It is a part of the program linkmilter and exports only what its other packages use. It knows neither
// message parts nor edits.
package judge

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// Judge judges links and decides how they are shown.
type Judge struct {
	Policy  *policy.Judge
	Finder  *finder
	Display display
	allow   pattern.Domains // hosts that are never flagged
	flagAll bool            // every other host is flagged, because of the sender
}

// Options say how links are found, judged and shown.
type Options struct {
	Scanner    *engine.Scanner
	MaxLinkLen int  // largest length of a link in bytes
	JoinLines  bool // links in angle brackets continue over lines
	Strict     bool // links are found without adjustments
	Policy     policy.Options
}

// New returns a Judge. An error names the list that has an invalid line.
func New(o Options) (j *Judge, err error) {
	j = &Judge{Finder: &finder{o.Scanner, o.MaxLinkLen, o.JoinLines, o.Strict}, Display: display{Agreed: engine.TablesAgree(), Defang: Defang, Readable: Readable}}
	if j.allow, err = domains(o.Policy.Allow); err != nil {
		return nil, fmt.Errorf("allow: %w", err)
	}
	if j.Policy, err = policy.New(o.Policy); err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	return j, nil
}

// Verdict judges a link, an address or a suspect by itself.
func (j *Judge) Verdict(link engine.Link) policy.Verdict {
	if j.Allows(link) {
		return policy.Verdict{DisplayUnicode: true}
	}
	return j.Policy.Link(link)
}

// ForSender returns a judge for the texts of a message from a domain, in A-labels. isAuthenticated says that
// the message is from there.
func (j *Judge) ForSender(from string, isAuthenticated bool) *Judge {
	of := *j
	of.Policy = j.Policy.WithSender(from, isAuthenticated)
	return &of
}

// WithListed returns a judge that knows listings, by the registrable domains of hosts.
func (j *Judge) WithListed(listed map[string][]policy.Listed) *Judge {
	of := *j
	of.Policy = j.Policy.WithListed(listed)
	return &of
}

// Hosts returns the hosts that links in the body open, each once, without those that are allowed, the
// operator's and those of brands: about these nobody needs to ask.
func (j *Judge) Hosts(links []report.Found) (hosts []string) {
	for i := range links {
		l := &links[i]
		if l.Place == report.PlaceHeader || l.Place == report.PlaceEnvelope || l.Link.Kind != engine.KindURL || j.Allows(l.Link) {
			continue
		}
		for _, host := range j.Policy.Hosts(l.Link) {
			if of := j.Policy.Host(host); !slices.Contains(hosts, host) && !of.IsOwn() && !of.IsOfBrand() {
				hosts = append(hosts, host)
			}
		}
	}
	return hosts
}

// FlaggingAll returns a judge for a message whose sender is flagged: every link is, unless the operator
// allows its host.
func (j *Judge) FlaggingAll() *Judge {
	of := *j
	of.flagAll = true
	return &of
}

// FlagsAll reports whether the judge is one of FlaggingAll.
func (j *Judge) FlagsAll() bool { return j.flagAll }

// ForUsers returns a judge for mail of the operator's own users.
func (j *Judge) ForUsers() *Judge {
	if j.Policy.Correspondents() == nil {
		return j
	}
	of := *j
	of.Policy = j.Policy.WithoutCorrespondents()
	return &of
}

// OfHost judges a host, given in A-labels, as if it were a whole link.
func (j *Judge) OfHost(host string) policy.Verdict {
	link, err := engine.ParseLink("http://" + host)
	if err != nil {
		return policy.Verdict{}
	}
	return j.Verdict(link)
}

// Allows reports whether the operator allows the host of a link.
func (j *Judge) Allows(link engine.Link) bool {
	if j.allow.Empty() {
		return false
	}
	host := strings.TrimSuffix(link.ASCIIHost(), ".")
	return host != "" && j.allow.Has(host)
}

// Judged judges a link. more are findings that need more than the link, such as its text.
func (j *Judge) Judged(link engine.Link, more ...policy.Finding) report.Found {
	found := report.Found{Link: link, Verdict: j.Verdict(link)}
	found.Verdict.Findings = append(found.Verdict.Findings, more...)
	return found
}

// Found judges a link and decides how it is shown. more are findings that need more than the link, such
// as its text.
func (j *Judge) Found(part string, link engine.Link, more ...policy.Finding) report.Found {
	link.Text = strings.Clone(link.Text) // a report keeps no slices of a message
	found := j.Judged(link, more...)
	found.Part = part
	j.Show(&found)
	if found.Broken = len(link.Text) != link.End-link.Start; found.Broken {
		found.Linked = false
	}
	return found
}

// OfQuery returns the findings about what a mailto: URL with a query names beside its first recipient:
// other recipients, and links in a text to send, which programs may find there.
func (j *Judge) OfQuery(link engine.Link) (findings []policy.Finding) {
	_, query, _ := strings.Cut(link.Text, "?")
	if link.Kind != engine.KindEmail || query == "" {
		return nil
	}
	named := append(j.Finder.recipients(link.Text), j.Finder.In(link.Text[len(link.Head(len(link.Text)).Text):])...)
	for _, other := range named {
		for _, finding := range j.Verdict(other).Findings {
			if !slices.Contains(findings, finding) {
				findings = append(findings, finding)
			}
		}
	}
	return findings
}

// OnlyHostJudged reports whether a link was too long, so that only its host was judged.
func OnlyHostJudged(l report.Found) bool { return l.Link.Reason == engine.ReasonTooLong && l.Broken }

// maxRuleJudges bounds the judges that a filter keeps. Each takes about 100 KiB.
const maxRuleJudges = 256

// OfRules keeps the judges for rules with their own lists of domains. Several goroutines may use it at
// once.
type OfRules struct {
	base   *Judge // for rules without lists
	policy policy.Options

	mu     sync.Mutex
	byName map[string]*Judge // by the name of the rule
}

// NewOfRules returns the judges for rules. base judges for rules without lists; o has the options of
// base.
func NewOfRules(base *Judge, o policy.Options) *OfRules {
	return &OfRules{base: base, policy: o}
}

// Of returns the judge for messages of a rule. Judges are cached by the name of the rule: rules of the
// same name have the same lists, also after a merge.
func (js *OfRules) Of(u *rule.Rule) *Judge {
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
			js.byName = make(map[string]*Judge)
		}
		js.byName[u.Name] = j
	}
	return j
}

// make returns a judge with the lists of the filter and the lists of a rule.
func (js *OfRules) make(u *rule.Rule) (*Judge, error) {
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
	j.Policy, err = policy.New(o)
	return &j, err
}

// ValidateLists returns an error if a list of the rule has an invalid line.
func ValidateLists(u *rule.Rule) error {
	_, err := policy.New(policy.Options{Protected: u.Protected, Block: u.Block, Allow: u.Allow, WithoutBrands: true})
	return err
}

// domains returns the set of domains in lines such as `example.com 2027-01-31`.
func domains(lines []string) (pattern.Domains, error) {
	var set pattern.Domains
	for _, line := range lines {
		if pattern.IsPair(line) {
			continue // package policy reads the senders
		}
		if err := set.AddLine(line); err != nil {
			return set, err
		}
	}
	return set, nil
}
