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

// With returns a set that has these names, too: A-labels in any case. A name
// that is no label is an error. The set itself stays as it is.
func (s *Set) With(names ...string) (*Set, error) {
	all := slices.Collect(s.All())
	for _, name := range names {
		name = strings.ToLower(name)
		if name == "" {
			return nil, errors.New("an empty name is no top-level domain")
		}
		if err := checkName(name); err != nil {
			return nil, err
		}
		all = append(all, name)
	}
	return newSet(all), nil
}
