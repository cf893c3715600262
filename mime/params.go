package mime

import (
	"slices"
)

// A parameter belongs to Content-Type.
type parameter struct {
	name  string // in lower case
	value string // without quotes, RFC 2231 decoded
}

// parameters are the parameters of Content-Type, with each name once.
type parameters []parameter

// lookup returns the value of a parameter by its lower-case name, and whether it exists.
func (p parameters) lookup(name string) (value string, ok bool) {
	if i := p.index(name); i >= 0 {
		return p[i].value, true
	}
	return "", false
}

// get returns the value of a parameter by its lower-case name, "" if it is missing.
func (p parameters) get(name string) string {
	value, _ := p.lookup(name)
	return value
}

func (p parameters) index(name string) int {
	return slices.IndexFunc(p, func(q parameter) bool { return q.name == name })
}

// with returns a copy of the parameters in which name has another value.
func (p parameters) with(name, value string) parameters {
	changed := slices.Clone(p)
	if i := changed.index(name); i >= 0 {
		changed[i].value = value
	}
	return changed
}
