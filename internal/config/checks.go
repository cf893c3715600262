package config

import (
	"fmt"
	"os/user"
	"strconv"
)

// validateGroup notes a group that this machine does not have.
func (r *reader) validateGroup(path, group string) {
	if _, err := strconv.ParseUint(group, 10, 31); err == nil || group == "" {
		return // a number needs no name
	}
	if _, err := user.LookupGroup(group); err != nil {
		r.problem(path, "group %q: unknown on this machine", group)
	}
}

// element returns the path of element i of a list.
func element(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// positive notes a value that is not more than zero.
func positive[T int | Size | Duration](r *reader, path string, value T) {
	if value <= 0 {
		r.problem(path, "must be more than 0")
	}
}
