package policy

import (
	"fmt"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/pattern"
)

// addLines adds the lines of an option, which has the name, to a set of hosts.
func addLines(set *pattern.Domains, name string, lines []string) error {
	for _, line := range lines {
		if err := set.AddLine(line); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// allows reports whether the operator allows the host of a link.
func (j *Judge) allows(link engine.Link) bool {
	if j.allowed.Empty() {
		return false
	}
	host := strings.TrimSuffix(link.ASCIIHost(), ".")
	return host != "" && j.allowed.Has(host)
}

// allowsTarget reports whether the operator allows the host that a link opens, which may
// be within a link of a wrapper.
func (j *Judge) allowsTarget(target engine.Link) bool {
	if j.allowed.Empty() || j.allows(target) {
		return !j.allowed.Empty()
	}
	inner, ok := passedTo(target)
	return ok && j.allows(inner)
}
