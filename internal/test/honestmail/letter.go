package honestmail

import (
	"fmt"
	"strings"
)

// A letter is what a message says, as testdata/mail has it:
//
//	@ kind language service option=value …; ~ is a space
//	F Name <address>           the sender
//	S subject
//	P preheader
//	L alternative text of a logo
//	H heading
//	T paragraph; [text](URL) is a link
//	B text of a button | URL
//	I line of the signature or of the footer
//	Q quoted line
//	A line of an attached message
//	V line of a calendar
//	R line of a report that programs read
type letter struct {
	kind, language, service string
	options                 map[string]string
	from, subject           string
	preheader, logo         string
	lines                   []line
}

// A line of a letter has a mark that says what it is.
type line struct {
	mark byte
	text string
}

// readLetters reads the letters of a file.
func readLetters(name string) ([]letter, error) {
	all, err := lines(name)
	if err != nil {
		return nil, err
	}
	var letters []letter
	for _, source := range all {
		mark, text, _ := strings.Cut(source, " ")
		if mark == "@" {
			l, err := newLetter(text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			letters = append(letters, l)
			continue
		}
		if len(letters) == 0 {
			return nil, fmt.Errorf("%s: line %q: before the first letter", name, source)
		}
		l := &letters[len(letters)-1]
		switch mark {
		case "F":
			l.from = text
		case "S":
			l.subject = text
		case "P":
			l.preheader = text
		case "L":
			l.logo = text
		case "H", "T", "B", "I", "Q", "A", "V", "R":
			l.lines = append(l.lines, line{mark: mark[0], text: text})
		default:
			return nil, fmt.Errorf("%s: line %q: unknown mark (want one of @FSPLHTBIQAVR)", name, source)
		}
	}
	return letters, nil
}

// newLetter reads the first line of a letter.
func newLetter(text string) (letter, error) {
	fields := strings.Fields(text)
	if len(fields) < 3 {
		return letter{}, fmt.Errorf("letter %q: too short (want kind, language, service)", text)
	}
	l := letter{kind: fields[0], language: fields[1], service: fields[2], options: make(map[string]string)}
	for _, field := range fields[3:] {
		key, value, ok := strings.Cut(field, "=")
		if !ok {
			return letter{}, fmt.Errorf("option %q: no value (want key=value)", field)
		}
		l.options[key] = strings.ReplaceAll(value, "~", " ")
	}
	return l, nil
}

// marked returns the texts of the lines with a mark.
func (l letter) marked(mark byte) []string {
	var texts []string
	for _, line := range l.lines {
		if line.mark == mark {
			texts = append(texts, line.text)
		}
	}
	return texts
}
