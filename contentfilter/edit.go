package contentfilter

import (
	"bytes"
	"slices"

	"github.com/linkmilter/linkmilter/internal/outcome"
	"github.com/linkmilter/linkmilter/mime"
)

// maxTrace bounds in octets what stands on top of a message that was filtered.
const maxTrace = 1 << 10

// edited returns the message, or its beginning, as the filter wants it to go on.
func (d *delivery) edited() []byte {
	r := &d.Result
	if d.cut {
		return d.tagged()
	}
	if r.Edited == nil {
		return d.raw
	}
	if limit := d.nextLimit(); limit > 0 && int64(len(r.Edited)) > limit && int64(len(d.raw)) <= limit {
		// The next hop would refuse because of the edit what it takes without.
		d.Reason = outcome.TooLarge
		return d.raw
	}
	d.Edited = !r.Plan.Empty()
	d.Tagged = r.EditsHeader()
	d.Signed = r.Report.Signed != ""
	return r.Edited
}

// nextLimit is the size of the largest message that the next hop takes from us;
// 0: it does not say.
func (d *delivery) nextLimit() int64 {
	if d.hop == nil || d.hop.maxSize() <= maxTrace {
		return 0
	}
	return d.hop.maxSize() - maxTrace
}

// tagged returns the beginning of a message with the edits of its header. The
// content is not edited: that would be made of its beginning.
func (d *delivery) tagged() []byte {
	r := &d.Result
	if !r.Plan.Empty() {
		d.Reason = outcome.TooLarge
	}
	if len(r.HeaderEdits) == 0 {
		return d.raw
	}
	edited, ok := editHeader(d.raw, r.HeaderEdits)
	d.Tagged = ok
	return edited
}

// maxHeader is the size in octets of the largest header that is taken apart.
const maxHeader = 1 << 20

// editHeader returns the beginning of a message with edits of its header. Of a header
// that is larger than maxHeader only those are made that need no position, on top:
// nobody shall get rid of a tag by writing such a header. Edits that cannot be
// made leave it as it is.
func editHeader(raw []byte, edits []mime.HeaderEdit) (edited []byte, ok bool) {
	beginning := raw[:min(len(raw), maxHeader)]
	end := bytes.Index(beginning, []byte("\r\n\r\n")) + len("\r\n\r\n")
	switch {
	case bytes.HasPrefix(beginning, []byte("\r\n")):
		end = len("\r\n")
	case end < len("\r\n\r\n"):
		end = 0
		edits = slices.DeleteFunc(slices.Clone(edits), func(e mime.HeaderEdit) bool { return e.Op != mime.OpAdd && e.Op != mime.OpInsert })
	}
	header := mime.Parse(raw[:end:end], mime.Limits{HeaderBytes: maxHeader})
	edited, _, err := header.Apply(mime.Plan{Header: edits})
	if err != nil {
		return raw, false
	}
	return append(edited, raw[end:]...), true
}
