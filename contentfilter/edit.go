package contentfilter

import (
	"bytes"
	"cmp"

	"github.com/linkmilter/linkmilter/internal/outcome"
	"github.com/linkmilter/linkmilter/mime"
)

// maxTrace bounds in octets what stands on top of a message that was filtered.
const maxTrace = 1 << 10

// edited returns the message, or its beginning, as the filter wants it to go on.
func (d *delivery) edited() []byte {
	r := &d.Result
	if !d.whole {
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
	d.Tagged = len(r.HeaderEdits) > 0
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
	var reason outcome.Reason
	if !r.Plan.Empty() {
		reason = outcome.TooLarge
	}
	if len(r.HeaderEdits) > 0 {
		beginning, ok := editHeader(d.raw, r.HeaderEdits)
		if ok {
			d.raw = beginning
			d.Tagged = true
		} else {
			reason = outcome.TooLarge
		}
	}
	d.Reason = cmp.Or(d.Reason, reason)
	return d.raw
}

// editHeader returns the beginning of a message with edits of its header, or false
// where that is not there in full.
func editHeader(raw []byte, edits []mime.HeaderEdit) ([]byte, bool) {
	end := len("\r\n")
	if !bytes.HasPrefix(raw, []byte("\r\n")) {
		i := bytes.Index(raw, []byte("\r\n\r\n"))
		if i < 0 {
			return nil, false
		}
		end = i + len("\r\n\r\n")
	}
	header := mime.Parse(raw[:end:end], mime.Limits{HeaderBytes: end})
	edited, _, err := header.Apply(mime.Plan{Header: edits})
	if err != nil {
		return nil, false
	}
	return append(edited, raw[end:]...), true
}
