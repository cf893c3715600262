package mta

import (
	"bytes"
	"context"
	"slices"
	"strings"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/mime"
)

// message is a mail as a mail server has it while a milter looks at it.
type message struct {
	fields []field
	body   []byte
}

// field is a header field: its name and all of its bytes, line end included.
type field struct {
	name string
	raw  []byte
}

// value returns the field's value as a mail server passes it to a milter: without the space after
// the colon, folded by a bare LF.
func (f field) value() string {
	value := f.raw[len(f.name)+1:]
	value = bytes.TrimPrefix(value, []byte(" "))
	value = bytes.TrimSuffix(value, []byte("\r\n"))
	return strings.ReplaceAll(string(value), "\r\n", "\n")
}

func newField(name, value string) field {
	return field{name, []byte(name + ": " + CRLF(value) + "\r\n")}
}

func split(raw []byte) message {
	parsed := mime.Parse(context.Background(), raw, mime.Limits{})
	m := message{body: parsed.Body(parsed.Root)}
	for _, f := range parsed.Root.Fields {
		m.fields = append(m.fields, field{f.Name, parsed.RawField(f)})
	}
	return m
}

// apply returns the message after a milter's changes, made as a mail server makes them.
func (m message) apply(changes []gomilter.ModifyAction) []byte {
	var body []byte
	replaced := false
	for _, c := range changes {
		switch c.Code {
		case gomilter.ActReplBody:
			body, replaced = append(body, CRLF(string(c.Body))...), true
		case gomilter.ActAddHeader:
			m.fields = append(m.fields, newField(c.HeaderName, c.HeaderValue))
		case gomilter.ActInsertHeader:
			at := min(int(c.HeaderIndex), len(m.fields))
			m.fields = slices.Insert(m.fields, at, newField(c.HeaderName, c.HeaderValue))
		case gomilter.ActChangeHeader:
			m.change(c.HeaderName, int(c.HeaderIndex), c.HeaderValue)
		}
	}
	if !replaced {
		body = m.body
	}
	var out bytes.Buffer
	for _, f := range m.fields {
		out.Write(f.raw)
	}
	out.WriteString("\r\n")
	out.Write(body)
	return out.Bytes()
}

// change replaces the nth field called name, counted from 1, or deletes it if value is empty.
func (m *message) change(name string, n int, value string) {
	for i, f := range m.fields {
		if !strings.EqualFold(f.name, name) {
			continue
		}
		if n--; n > 0 {
			continue
		}
		if value == "" {
			m.fields = slices.Delete(m.fields, i, i+1)
		} else {
			m.fields[i] = newField(f.name, value)
		}
		return
	}
}

// CRLF returns text with CRLF line ends, whatever line ends it had.
func CRLF(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}
