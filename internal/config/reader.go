package config

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
)

// reader collects the problems of one file.
type reader struct {
	name        string
	withoutKeys bool // do not read DKIM keys
	places      positions
	rules       []string // the paths of the rules in force, such as rule[0]; "" for a built-in rule
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
func (r *reader) syntax(err error, document []byte) {
	p := Problem{File: r.name, Text: strings.TrimPrefix(err.Error(), "toml: ")}
	var where *toml.DecodeError
	if errors.As(err, &where) {
		p.Line, p.Column = where.Position()
		p.Key = strings.Join(where.Key(), ".")
		p.Text = withCharacter(p.Text, characterAt(document, p.Line, p.Column))
	}
	r.problems = append(r.problems, p)
}

// characterAt returns the character at a line and a column in bytes, each from 1, or 0.
func characterAt(document []byte, line, column int) rune {
	for range line - 1 {
		_, document, _ = bytes.Cut(document, []byte("\n"))
	}
	character, size := utf8.DecodeRune(document[min(max(column-1, 0), len(document)):])
	if size < 2 {
		return 0 // ASCII, or not UTF-8
	}
	return character
}

// firstByte matches how the decoder names the first byte of a non-ASCII character: as a Latin-1
// character.
var firstByte = regexp.MustCompile(`U\+00[89A-F][0-9A-F] '.'`)

// withCharacter returns the text of an error with the non-ASCII character that it is about, and the
// character to write instead. Word processors and web pages replace quotes and hyphens by such
// characters.
func withCharacter(text string, character rune) string {
	if character == 0 {
		return text
	}
	name := fmt.Sprintf("%U", character)
	if unicode.IsPrint(character) {
		name = fmt.Sprintf("\"%c\" (%U)", character, character)
	}
	if firstByte.MatchString(text) {
		text = firstByte.ReplaceAllLiteralString(text, name)
	} else {
		text += ", not " + name
	}
	switch {
	case unicode.In(character, unicode.Quotation_Mark):
		return text + " (want straight quotation marks)"
	case unicode.IsSpace(character) || !unicode.IsPrint(character):
		return text + " (want a space, or nothing)"
	case unicode.IsLetter(character):
		return text + " (want ASCII here, or quotation marks)"
	}
	return text + " (want ASCII here)"
}
