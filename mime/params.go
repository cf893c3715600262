package mime

import (
	"slices"
)

// A Param is a parameter of Content-Type.
type Param struct {
	Name  string // in lower case
	Value string // without quotes, RFC 2231 decoded
}

// Params are the parameters of Content-Type, each name once.
type Params []Param

// Lookup returns the value of a parameter by its name in lower case.
func (p Params) Lookup(name string) (value string, ok bool) {
	if i := p.index(name); i >= 0 {
		return p[i].Value, true
	}
	return "", false
}

// Get returns the value of a parameter by its name in lower case, "" where there
// is none.
func (p Params) Get(name string) string {
	value, _ := p.Lookup(name)
	return value
}

func (p Params) index(name string) int {
	return slices.IndexFunc(p, func(q Param) bool { return q.Name == name })
}

// with returns the parameters with another value of one of them.
func (p Params) with(name, value string) Params {
	changed := slices.Clone(p)
	if i := changed.index(name); i >= 0 {
		changed[i].Value = value
	}
	return changed
}
