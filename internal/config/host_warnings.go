package config

import (
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/internal/pattern"
)

// reviewHosts warns of hosts that are allowed and blocked, and of protected names below which
// everybody may register a domain.
func (r *reader) reviewHosts(f *File) {
	suffix := func(at, line string) {
		domain := strings.ToLower(strings.TrimPrefix(line, "."))
		if found, _ := publicsuffix.PublicSuffix(domain); found == domain {
			r.warn(at, "domain %q: everybody may register names below it (want your own, such as example.%s)", line, domain)
		}
	}
	r.eachOwn("policy.protected", f, f.Policy.Protected, suffix)
	r.reviewBlocked("policy", f, f.Policy.Allow, f.Policy.Block)
	for i, u := range f.Rules {
		if at := r.rules[i]; at != "" {
			r.eachOwn(at+".protected", f, u.Protected, suffix)
			r.reviewBlocked(at, f, u.Allow, u.Block)
		}
	}
}

// reviewBlocked warns of hosts in block that allow has, too.
func (r *reader) reviewBlocked(table string, f *File, allow, block []string) {
	var allowed pattern.Domains
	lines := make(map[string]bool)
	for _, line := range f.listed(allow) {
		host, _, dated := strings.Cut(line, " ")
		if !dated && allowed.Add(host) == nil {
			lines[strings.ToLower(host)] = true
		}
	}
	r.eachOwn(table+".block", f, block, func(at, line string) {
		host, _, _ := strings.Cut(strings.ToLower(line), " ")
		if lines[host] || !strings.HasPrefix(host, ".") && allowed.Has(host) {
			r.warn(at, "host %q: no effect, since %s.allow has it, too (want it in one of them)", host, table)
		}
	})
}

// eachOwn calls visit for the elements of a list and for the lines of its files. The place of a
// line is the element that names its file.
func (r *reader) eachOwn(key string, f *File, list []string, visit func(at, line string)) {
	for i, line := range list {
		at := element(key, i)
		if r.troubled(at) {
			continue
		}
		for _, line := range f.listed([]string{line}) {
			visit(at, line)
		}
	}
}
