package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// reader collects the problems of one file.
type reader struct {
	name        string
	withoutKeys bool // do not read DKIM keys
	places      positions
	rules       []string // the paths of the rules in force: rule[0]; "": built in
	problems    Problems
	warnings    Problems
}

// problem notes a problem of the key at path.
func (r *reader) problem(path, format string, args ...any) {
	r.problems = append(r.problems, r.at(path, fmt.Sprintf(format, args...)))
}

// warn notes that a valid value does not do what its author may expect.
func (r *reader) warn(path, format string, args ...any) {
	p := r.at(path, fmt.Sprintf(format, args...))
	p.Warning = true
	r.warnings = append(r.warnings, p)
}

func (r *reader) at(path, text string) Problem {
	at := r.places.find(path)
	return Problem{File: r.name, Line: at.line, Column: at.column, Key: path, Text: text}
}

// has reports whether the document sets a key.
func (r *reader) has(path string) bool {
	_, ok := r.places[path]
	return ok
}

// troubled reports whether path or a key below it has a problem.
func (r *reader) troubled(path string) bool {
	for _, p := range r.problems {
		if rest, below := strings.CutPrefix(p.Key, path); below && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

// syntax notes why the file is not valid TOML, which ends the search for problems.
func (r *reader) syntax(err error) {
	p := Problem{File: r.name, Text: strings.TrimPrefix(err.Error(), "toml: ")}
	var where *toml.DecodeError
	if errors.As(err, &where) {
		p.Line, p.Column = where.Position()
		p.Key = strings.Join(where.Key(), ".")
	}
	r.problems = append(r.problems, p)
}
