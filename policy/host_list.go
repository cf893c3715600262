package policy

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/pattern"
)

// A hostList is a list of hosts of the operator.
type hostList struct{ hosts pattern.Domains }

// newHostList returns the list of lines such as `example.com 2027-01-31`.
func newHostList(lines []string) (*hostList, error) {
	l := &hostList{}
	for _, line := range lines {
		if err := l.hosts.AddLine(line); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// has reports whether the list has the host of a link.
func (l *hostList) has(link engine.Link) bool {
	if l.hosts.Empty() {
		return false
	}
	host := strings.TrimSuffix(link.ASCIIHost(), ".")
	return host != "" && l.hosts.Has(host)
}

// hasTarget reports whether the list has the host that a link opens, which may be within
// a link of a wrapper.
func (l *hostList) hasTarget(target engine.Link) bool {
	if l.hosts.Empty() {
		return false
	}
	opened := passedTo(target)
	return l.has(target) || len(opened) > 0 && !slices.ContainsFunc(opened, func(inner engine.Link) bool { return !l.has(inner) })
}
