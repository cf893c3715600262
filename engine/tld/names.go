package tld

import (
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"
)

// All returns the names as A-labels in lower case, in no particular order.
func (s *Set) All() iter.Seq[string] { return maps.Keys(s.ascii) }

// With returns a set that also has these names, A-labels in any case. It returns an
// error for a name that is not a label. The set itself does not change.
func (s *Set) With(names ...string) (*Set, error) {
	all := slices.Collect(s.All())
	for _, name := range names {
		name = strings.ToLower(name)
		if name == "" {
			return nil, errors.New("top-level domain \"\": empty")
		}
		if err := checkName(name); err != nil {
			return nil, err
		}
		all = append(all, name)
	}
	return newSet(all), nil
}
