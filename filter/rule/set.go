package rule

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/policy"
)

// A Set is a list of validated rules in order. Several goroutines may use it at
// once.
type Set struct{ rules []prepared }

// prepared is a Rule with its conditions compiled.
type prepared struct {
	Rule
	when matcher
}

// NewSet validates rules. It returns an error for rules with the same name, rules that never match, and
// rules that contradict themselves. Without rules, the set has those of [Builtin]. results says whether
// messages have results of authentication; without them a condition on them never holds.
func NewSet(rules []Rule, results bool) (*Set, error) {
	if len(rules) == 0 {
		rules = Builtin()
	}
	names := make(map[string]bool)
	set := &Set{make([]prepared, len(rules))}
	for i, r := range rules {
		switch {
		case !validName(r.Name):
			return nil, fmt.Errorf("rule %d: name %q: not only ASCII letters, digits and hyphens", i+1, r.Name)
		case names[r.Name]:
			return nil, fmt.Errorf("rule %d: name %q: used by a rule above", i+1, r.Name)
		}
		names[r.Name] = true
		when, err := newMatcher(r.When)
		if err == nil {
			err = r.validate()
		}
		if err == nil && len(when.auth) > 0 && !results {
			err = fmt.Errorf("auth: needs a trusted server (want its name in header.authserv_ids)")
		}
		if err != nil {
			return nil, fmt.Errorf("rule %q: %w", r.Name, err)
		}
		set.rules[i] = prepared{r, when}
	}
	return set, nil
}

// Only returns a set that applies the rule called name to every message.
func (s *Set) Only(name string) (*Set, error) {
	names := make([]string, len(s.rules))
	for i, r := range s.rules {
		if r.Name == name {
			return &Set{[]prepared{{Rule: r.Rule}}}, nil
		}
		names[i] = r.Name
	}
	return nil, fmt.Errorf("rule %q: unknown (want %s)", name, strings.Join(names, ", "))
}

// For returns the rule for a message. Each recipient falls under the first rule that matches the
// message and this recipient. If these are several rules, For merges them (see merge).
//
// fields returns the values of the header fields called name, unfolded and decoded (RFC 2047). results
// returns the results of authentication that count. For calls them only if a rule has such a condition.
// The rule is the one by which the message is read: none with a condition on findings. See [Set.Judged].
// A nil set has a rule that does nothing.
func (s *Set) For(e *envelope.Envelope, fields func(name string) []string, results func() []mailauth.Result) Rule {
	if s == nil {
		return Rule{}
	}
	return s.choose(newMessage(e, fields, results, nil))
}

// AskFindings reports whether a rule has a condition on findings.
func (s *Set) AskFindings() bool {
	return s != nil && slices.ContainsFunc(s.rules, func(r prepared) bool { return len(r.when.Findings) > 0 })
}

// Judged returns the rule for a message that was read by the rule before and then judged: the first that
// matches, also by its findings. has reports whether the message has one. What concerns reading stays as
// before.
func (s *Set) Judged(before *Rule, e *envelope.Envelope, fields func(name string) []string, results func() []mailauth.Result, has func(policy.Code) bool) Rule {
	return s.choose(newMessage(e, fields, results, has)).readAs(before)
}

// choose returns the rule for a message.
func (s *Set) choose(m message) Rule {
	candidates := s.candidates(&m)
	if len(candidates) == 0 {
		return others
	}
	if r := &s.rules[candidates[0]]; r.when.recipient == nil {
		return r.Rule // it matches all recipients
	}
	first := func(recipient *pattern.Address) int {
		for _, i := range candidates {
			if s.rules[i].when.matchesRecipient(recipient) {
				return i
			}
		}
		return len(s.rules)
	}
	var hit []int
	recipients := m.addresses()
	for i := range recipients {
		if n := first(&recipients[i]); !slices.Contains(hit, n) {
			hit = append(hit, n)
		}
	}
	if len(hit) == 0 {
		hit = []int{first(nil)}
	}
	slices.Sort(hit)
	rules := make([]Rule, len(hit))
	for i, n := range hit {
		if n == len(s.rules) {
			rules[i] = others
		} else {
			rules[i] = s.rules[n].Rule
		}
	}
	return merge(rules)
}

// Unmet iterates over the rules in order. It yields the name of each rule and the key of the first
// condition that the message does not meet. The key is empty for a rule that decides for some or all
// recipients. It ends with the rule that decides for the last recipient. The arguments are those of
// [Set.Judged].
func (s *Set) Unmet(e *envelope.Envelope, fields func(name string) []string, results func() []mailauth.Result, has func(policy.Code) bool) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		m := newMessage(e, fields, results, has)
		left := slices.Clone(m.addresses())
		for i := range s.rules {
			r := &s.rules[i]
			key := r.when.unmet(&m)
			if key == "" && r.when.recipient != nil {
				before := len(left)
				left = slices.DeleteFunc(left, r.when.recipient.Has)
				if len(left) == before {
					key = "recipient"
				}
			}
			if !yield(r.Name, key) || key == "" && (r.when.recipient == nil || len(left) == 0) {
				return
			}
		}
	}
}

// candidates returns the indices of the rules that match a message for some recipient. It checks each
// rule's other conditions once, not for each recipient.
func (s *Set) candidates(m *message) []int {
	var candidates []int
	for i := range s.rules {
		r := &s.rules[i]
		if r.when.unmet(m) != "" {
			continue
		}
		candidates = append(candidates, i)
		if r.when.recipient == nil {
			break // no recipient gets past it
		}
	}
	return candidates
}
