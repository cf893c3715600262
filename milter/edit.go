package milter

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	gomilter "github.com/emersion/go-milter"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/header"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/mime"
)

const (
	// maxHeaderEdits bounds the edits of one header: deleting thousands of
	// fields takes Postfix seconds, and 12,000 crash it.
	maxHeaderEdits = header.MaxEdits
	// maxFieldValue bounds a field's value in bytes, so that its packet stays far below the limit
	// of MTAs.
	maxFieldValue = 32 << 10
)

// modifications are the edits of one message, ready to be sent: only the connection can
// still fail.
type modifications struct {
	header  []headerChange
	replace bool // the body
	body    []byte
}

// headerChange is one edit of the header. index counts the fields of
// that name from 1.
type headerChange struct {
	op          mime.HeaderOp
	index       int
	name, value string
	again       bool // adds a field of a name that the header has
}

func (m modifications) empty() bool { return len(m.header) == 0 && !m.replace }

// prepare turns a result into modifications: all of them, or none and the reason. If the fields of
// a header cannot be counted, it still adds the tags, which need no position: a sender must not
// avoid tags by such a header.
func prepare(g grant, msg *message, result *filter.Result) (modifications, mailserver.Reason) {
	if msg.odd && (!result.Plan.Empty() || len(result.HeaderEdits) > 0) {
		even := *msg
		even.odd = false
		mods, reason := prepare(g, &even, &filter.Result{HeaderEdits: result.Unsigned()})
		return mods, cmp.Or(reason, reasonHeader)
	}
	edits := slices.Concat(result.Plan.Header, result.HeaderEdits)
	mods := modifications{replace: len(result.Plan.Body) > 0}
	if !g.may(needed(edits, mods.replace)) {
		return modifications{}, reasonNotGranted
	}
	if len(edits) > maxHeaderEdits {
		return modifications{}, reasonHeader
	}
	for _, edit := range inSendingOrder(edits) {
		change, err := msg.change(edit, g.has(gomilter.OptHeaderLeadingSpace))
		if err != nil {
			return modifications{}, reasonHeader
		}
		change.again = change.op == mime.OpAdd && (msg.has(change.name) || slices.ContainsFunc(mods.header, func(c headerChange) bool {
			return c.op == mime.OpAdd && strings.EqualFold(c.name, change.name)
		}))
		mods.header = append(mods.header, change)
	}
	if mods.replace {
		mods.body = result.Edited[result.BodyStart:]
	}
	return mods, ""
}

// needed returns the rights that edits need.
func needed(edits []mime.HeaderEdit, replace bool) gomilter.OptAction {
	var actions gomilter.OptAction
	for _, edit := range edits {
		switch edit.Op {
		case mime.OpChange, mime.OpDelete:
			actions |= gomilter.OptChangeHeader
		case mime.OpAdd, mime.OpInsert:
			actions |= gomilter.OptAddHeader
		}
	}
	if replace {
		actions |= gomilter.OptChangeBody
	}
	return actions
}

// inSendingOrder returns the edits in the order in which their positions mean
// the same to all MTAs. A deletion moves the fields after it on Postfix but not
// on Sendmail, so changes and deletions go from the last field to the first. Fields
// for the end follow, and then fields for the top, each above the one before.
func inSendingOrder(edits []mime.HeaderEdit) []mime.HeaderEdit {
	var fields, end, top []mime.HeaderEdit
	for _, edit := range edits {
		switch edit.Op {
		case mime.OpAdd:
			end = append(end, edit)
		case mime.OpInsert:
			top = append(top, edit)
		default:
			fields = append(fields, edit)
		}
	}
	slices.SortFunc(fields, func(a, b mime.HeaderEdit) int { return b.Field - a.Field })
	slices.Reverse(top)
	return slices.Concat(fields, end, top)
}

// change turns an edit into a modification for the MTA, with the value folded as in the
// edited message. It fails if the edit does not fit the header from the MTA, or the
// protocol.
func (m *message) change(edit mime.HeaderEdit, leadingSpace bool) (headerChange, error) {
	c := headerChange{op: edit.Op, name: edit.Name}
	switch edit.Op {
	case mime.OpAdd, mime.OpInsert:
	case mime.OpChange, mime.OpDelete:
		if edit.Field < 0 || edit.Field >= len(m.fields) {
			return c, fmt.Errorf("no field %d", edit.Field)
		}
		c.name = m.fields[edit.Field].name
		c.index = m.occurrence(edit.Field)
		if edit.Name != "" && !strings.EqualFold(edit.Name, c.name) {
			return c, fmt.Errorf("field %d has another name", edit.Field)
		}
		if edit.Op == mime.OpDelete {
			return c, nil
		}
	default:
		return c, fmt.Errorf("header edit of unknown kind %d", edit.Op)
	}
	edit.Name = c.name
	value, err := edit.Text("\n")
	switch {
	case err != nil:
		return c, err
	case value == "":
		// For the MTA, an empty value means deletion.
		return c, errors.New("empty field")
	case len(value) > maxFieldValue:
		return c, fmt.Errorf("field of %d bytes", len(value))
	}
	if leadingSpace {
		// The MTA does not add the space in this case.
		value = " " + value
	}
	c.value = value
	return c, nil
}

// has reports whether the message has a field of a name.
func (m *message) has(name string) bool {
	return slices.ContainsFunc(m.fields, func(f field) bool { return strings.EqualFold(f.name, name) })
}

// occurrence returns which of the fields of its name field i is, from 1. MTAs
// compare names without case.
func (m *message) occurrence(i int) int {
	n := 0
	for _, f := range m.fields[:i+1] {
		if strings.EqualFold(f.name, m.fields[i].name) {
			n++
		}
	}
	return n
}

// beyondHeader is a position after the last field of every header.
const beyondHeader = 1 << 20

// send sends the modifications.
func (m modifications) send(to *conn) {
	for _, c := range m.header {
		switch c.op {
		case mime.OpChange:
			to.modify(gomilter.ActChangeHeader, number(c.index), cString(c.name), cString(c.value))
		case mime.OpDelete:
			to.modify(gomilter.ActChangeHeader, number(c.index), cString(c.name), cString(""))
		case mime.OpAdd:
			if c.again {
				// Sendmail adds a field before the first one of its name, which would turn the order
				// round. Both MTAs add a field at the end if its position is beyond.
				to.modify(gomilter.ActInsertHeader, number(beyondHeader), cString(c.name), cString(c.value))
				continue
			}
			to.modify(gomilter.ActAddHeader, cString(c.name), cString(c.value))
		case mime.OpInsert:
			to.modify(gomilter.ActInsertHeader, number(0), cString(c.name), cString(c.value))
		}
	}
	if m.replace {
		for chunk := range bodyChunks(m.body) {
			to.modify(gomilter.ActReplBody, chunk)
		}
	}
}

// bodyChunks cuts a body into pieces of at most 65,535 bytes, after line ends
// where there are any, and not within one. An empty body is one empty piece.
func bodyChunks(body []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(body) > gomilter.MaxBodyChunk {
			n := gomilter.MaxBodyChunk
			if i := bytes.LastIndexByte(body[:n], '\n'); i >= 0 {
				n = i + 1
			} else if body[n-1] == '\r' {
				n--
			}
			if !yield(body[:n]) {
				return
			}
			body = body[n:]
		}
		yield(body)
	}
}
