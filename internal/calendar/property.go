package calendar

import (
	"slices"
	"strings"
)

// A property is a logical line, divided into its parts (RFC 5545 §3.1).
type property struct {
	group      string // in upper case, "" for none
	name       string // in upper case, without a group
	parameters []parameter
	together   bool   // the last parameter holds all further ones
	value      string // as written
}

type parameter struct {
	name  string // in upper case; empty for a value without a name, as in vCard 2.1
	value string // without quotes and escapes
}

// addressProperties are properties whose values are persons.
var addressProperties = map[string]bool{
	"ATTENDEE": true, "ORGANIZER": true, "CONTACT": true, "EMAIL": true, "MEMBER": true, "RELATED": true, "IMPP": true,
}

// urlParameters and urlProperties have URLs as values. So do properties with VALUE=URI.
var (
	urlParameters = map[string]bool{"ALTREP": true, "DIR": true, "DELEGATED-FROM": true, "DELEGATED-TO": true, "SENT-BY": true, "MEMBER": true}
	urlProperties = map[string]bool{
		"URL": true, "ATTACH": true, "CONFERENCE": true, "SOURCE": true, "TZURL": true, "IMAGE": true, "FBURL": true,
		"CALURI": true, "CALADRURI": true, "LOGO": true, "PHOTO": true, "SOUND": true, "KEY": true, "LINK": true,
		"SOCIALPROFILE": true, "X-SOCIALPROFILE": true,
	}
)

// longTexts are properties with a text and perhaps a URL to another form of it. Programs do not
// show the text as that of a link.
var longTexts = map[string]bool{"DESCRIPTION": true, "COMMENT": true}

// get returns the value of the first parameter with a name.
func (p *property) get(name string) string {
	for _, q := range p.parameters {
		if q.name == name {
			return q.value
		}
	}
	return ""
}

// fileName returns the name of the file that a property holds, or "".
func (p *property) fileName() string {
	for _, q := range p.parameters {
		if strings.HasSuffix(q.name, "FILENAME") {
			return q.value
		}
	}
	return ""
}

// mediaType returns the media type that a property declares for its value, or "".
func (p *property) mediaType() string {
	for _, name := range [...]string{"FMTTYPE", "MEDIATYPE", "TYPE"} {
		if value := p.get(name); strings.Contains(value, "/") {
			return value
		}
	}
	return ""
}

// isLabel reports whether programs show the value of a parameter with the URL of its property: as a
// label or title, as the name of a file or user, or as a type that a user defined.
func (q *parameter) isLabel() bool {
	isNamed := func(suffix string) bool { return strings.HasSuffix(q.name, suffix) }
	return q.name == "" || q.name == "TYPE" || slices.ContainsFunc([]string{"LABEL", "TITLE", "NAME", "USER"}, isNamed)
}

// maxParameters is the number of parameters of a property that are read one by one.
const maxParameters = 64

// parse splits a logical line. It reports whether the line is a property: a name before a
// colon outside of quotes.
func parse(text string) (property, bool) {
	colon := colonOf(text)
	if colon < 0 {
		return property{}, false
	}
	p := property{value: text[colon+1:]}
	head := text[:colon]
	for first, more := true, true; more; first = false {
		piece := head
		i := outside(head, ';')
		if more = i >= 0 && len(p.parameters) < maxParameters; more {
			piece, head = head[:i], head[i+1:]
		}
		if first {
			name := strings.ToUpper(strings.TrimSpace(piece))
			dot := strings.LastIndexByte(name, '.')
			p.group, p.name = name[:max(dot, 0)], name[dot+1:]
		} else {
			p.parameters = append(p.parameters, parseParameter(piece))
			p.together = p.together || i >= 0 && !more
		}
	}
	return p, p.name != ""
}

// colonOf returns the index of the colon before the value of a line, or -1.
func colonOf(text string) int {
	if colon := outside(text, ':'); colon >= 0 {
		return colon
	}
	return strings.IndexByte(text, ':') // a quotation mark has no partner
}

// outside returns the index of the first byte c outside of double quotes, or -1.
func outside(s string, c byte) int {
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == c && !quoted:
			return i
		}
	}
	return -1
}

// parseParameter reads NAME=value with the escapes of RFC 6868.
func parseParameter(piece string) parameter {
	name, value, ok := strings.Cut(piece, "=")
	if !ok {
		name, value = "", piece
	}
	value = strings.TrimSpace(strings.ReplaceAll(value, `"`, ""))
	return parameter{strings.ToUpper(strings.TrimSpace(name)), caretEscapes.Replace(value)}
}

var caretEscapes = strings.NewReplacer("^n", "\n", "^^", "^", "^'", `"`)

// unescape removes the backslashes of a value (RFC 5545 §3.3.11). It also removes a backslash in
// front of a character that needs none.
func unescape(value string) string {
	if strings.IndexByte(value, '\\') < 0 {
		return value
	}
	var b strings.Builder
	b.Grow(len(value))
	for i := 0; i < len(value); i++ {
		if value[i] != '\\' || i+1 == len(value) {
			b.WriteByte(value[i])
			continue
		}
		i++
		if value[i] == 'n' || value[i] == 'N' {
			b.WriteByte('\n')
		} else {
			b.WriteByte(value[i])
		}
	}
	return b.String()
}
