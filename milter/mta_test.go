package milter

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// parseMail splits a message into header fields, as an MTA sends it. It reports whether that is
// possible without a change of the message.
func parseMail(raw string) (mail, bool) {
	raw = strings.ReplaceAll(strings.ReplaceAll(raw, "\r\n", "\n"), "\n", "\r\n")
	m := mail{from: "<a@example.org>", to: []string{"<b@example.com>"}}
	rest := raw
	for rest != "" && !strings.HasPrefix(rest, "\r\n") {
		end := 0
		for {
			i := strings.Index(rest[end:], "\r\n")
			if i < 0 {
				return m, false
			}
			end += i + 2
			if end == len(rest) || rest[end] != ' ' && rest[end] != '\t' {
				break
			}
		}
		name, value, found := strings.Cut(rest[:end-2], ":")
		if !found || name == "" || strings.ContainsAny(name+value, "\x00") {
			return m, false
		}
		m.fields = append(m.fields, name, strings.ReplaceAll(value, "\r\n", "\n"))
		rest = rest[end:]
	}
	m.body = strings.TrimPrefix(rest, "\r\n")
	return m, m.raw() == raw
}

// A dialect is a way to count header fields after one was deleted.
type dialect bool

const (
	postfix  dialect = true  // those after it move up
	sendmail dialect = false // they keep their numbers
)

// An mtaField is a header field of an MTA.
type mtaField struct {
	name, value string
	deleted     bool // Sendmail still counts it
}

// apply makes the changes that a milter asked for, and returns the message.
func (d dialect) apply(tb testing.TB, m mail, answers []answer) string {
	tb.Helper()
	var fields []mtaField
	for i := 0; i+1 < len(m.fields); i += 2 {
		fields = append(fields, mtaField{name: m.fields[i], value: m.fields[i+1]})
	}
	body, replaced := m.body, false
	for _, a := range answers {
		switch a.code {
		case 'b':
			if !replaced {
				body, replaced = "", true
			}
			body += a.data
		case 'h', 'i', 'm':
			fields = d.change(tb, fields, a)
		}
	}
	var b strings.Builder
	for _, f := range fields {
		if !f.deleted {
			b.WriteString(f.name + ":" + f.value + "\n")
		}
	}
	text := b.String() + "\n" + body
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

func (d dialect) change(tb testing.TB, fields []mtaField, a answer) []mtaField {
	tb.Helper()
	data, index := a.data, 0
	if a.code != 'h' {
		index = int(binary.BigEndian.Uint32([]byte(data)))
		data = data[4:]
	}
	parts := strings.Split(data, "\x00")
	if len(parts) != 3 || parts[2] != "" {
		tb.Fatalf("reply %q %q", a.code, a.data)
	}
	f := mtaField{name: parts[0], value: parts[1]}
	switch a.code {
	case 'h':
		same := func(other mtaField) bool { return strings.EqualFold(other.name, f.name) }
		if i := slices.IndexFunc(fields, same); d == sendmail && i >= 0 {
			return slices.Insert(fields, i, f) // before the first of its name, also a deleted one
		}
		return append(fields, f)
	case 'i':
		return slices.Insert(fields, min(index, len(fields)), f)
	}
	for i := range fields {
		if !strings.EqualFold(fields[i].name, f.name) {
			continue
		}
		if index--; index > 0 {
			continue
		}
		switch {
		case f.value != "":
			fields[i].value = f.value
		case d == postfix:
			return slices.Delete(fields, i, i+1)
		default:
			fields[i].deleted = true
		}
		return fields
	}
	tb.Errorf("no field for %q %q", a.code, a.data)
	return fields
}
