//go:build linux

package main

import (
	"bytes"
	"slices"
	"strings"
)

// A mail is a message of the stream, with its envelope.
type mail struct {
	kind              string
	sender, recipient string
	login             bool // the client logged in; else it is a stranger
	fields            []field
	body              []byte
}

// A field is a header field with its value behind the colon, folded by CRLF.
type field struct{ name, value string }

// newMail reads a message as a mail server does: the first line that cannot be a part of
// the header begins the body.
func newMail(kind, sender, recipient string, login bool, raw []byte) *mail {
	m := &mail{kind: kind, sender: sender, recipient: recipient, login: login}
	for len(raw) > 0 {
		end := bytes.IndexByte(raw, '\n') + 1
		if end == 0 {
			end = len(raw)
		}
		line := strings.TrimRight(string(raw[:end]), "\r\n")
		if line == "" {
			raw = raw[end:]
			break
		}
		name, value, found := strings.Cut(line, ":")
		switch {
		case (line[0] == ' ' || line[0] == '\t') && len(m.fields) > 0:
			m.fields[len(m.fields)-1].value += "\r\n" + line
		case found && name != "" && strings.IndexFunc(name, notInName) < 0:
			m.fields = append(m.fields, field{name, value})
		default:
			m.body = raw
			return m
		}
		raw = raw[end:]
	}
	m.body = raw
	return m
}

// notInName reports whether the name of a field cannot have a character (RFC 5322 §2.2).
func notInName(r rune) bool { return r <= ' ' || r >= 0x7f }

// raw returns the message in one piece, with other fields and another body.
func raw(fields []field, body []byte) []byte {
	var b bytes.Buffer
	for _, f := range fields {
		b.WriteString(f.name + ":" + f.value + "\r\n")
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}

// raw returns the message as it was sent.
func (m *mail) raw() []byte { return raw(m.fields, m.body) }

// A change is what a milter asks for: an edit of the header, or a piece of the new body.
type change struct {
	code        byte // of the milter protocol
	index       int
	name, value string
	body        []byte
}

// The codes of changes and of final replies in the milter protocol.
const (
	addHeader    = 'h'
	insertHeader = 'i'
	changeHeader = 'm'
	replaceBody  = 'b'
	quarantine   = 'q'
	accept       = 'a'
	goOn         = 'c'
	discard      = 'd'
	reject       = 'r'
	tempFail     = 't'
	replyCode    = 'y'
	skip         = 's'
)

// changed returns the message with the changes made, as a mail server makes them.
func (m *mail) changed(changes []change) []byte {
	fields, body, replaced := slices.Clone(m.fields), m.body, false
	for _, c := range changes {
		f := field{c.name, strings.ReplaceAll(c.value, "\n", "\r\n")}
		switch c.code {
		case addHeader:
			fields = append(fields, f)
		case insertHeader:
			fields = slices.Insert(fields, min(c.index, len(fields)), f)
		case changeHeader:
			fields = changeField(fields, f, c.index)
		case replaceBody:
			if !replaced {
				body, replaced = nil, true
			}
			body = append(body, c.body...)
		}
	}
	return raw(fields, body)
}

// changeField replaces the nth field of the name of f, or deletes it if f has no value.
func changeField(fields []field, f field, n int) []field {
	for i := range fields {
		if !strings.EqualFold(fields[i].name, f.name) {
			continue
		}
		if n--; n > 0 {
			continue
		}
		if f.value == "" {
			return slices.Delete(fields, i, i+1)
		}
		fields[i].value = f.value
		break
	}
	return fields
}
