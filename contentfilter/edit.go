package contentfilter

import (
	"bytes"
	"context"
	"slices"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/mime"
)

// outgoing is the message, or its beginning, for the next hop.
type outgoing struct {
	content                []byte
	edited, tagged, signed bool
	reason                 mailserver.Reason // why it goes on without an edit of its content; "": none was dropped
}

// edit returns the message raw with the edits of the filter. cut says that raw is the
// beginning only. A next hop takes messages of up to limit bytes; 0: of any size.
func edit(raw []byte, cut bool, r *filter.Result, limit int64) outgoing {
	if cut {
		return tag(raw, r)
	}
	if r.Edited == nil {
		return outgoing{content: raw}
	}
	if limit > 0 && int64(len(r.Edited)) > limit && int64(len(raw)) <= limit {
		// The next hop takes the original, and would refuse the edited message.
		return outgoing{content: raw, reason: mailserver.ReasonTooLarge}
	}
	return outgoing{content: r.Edited, edited: !r.Plan.Empty(), tagged: r.EditsHeader(), signed: r.Report.Signed != ""}
}

// tag returns the beginning of a message with the edits of its header. An edit of
// the content would hold for its beginning only.
func tag(raw []byte, r *filter.Result) outgoing {
	out := outgoing{content: raw}
	if !r.Plan.Empty() {
		out.reason = mailserver.ReasonTooLarge
	}
	if len(r.HeaderEdits) > 0 {
		out.content, out.tagged = editHeader(raw, r.HeaderEdits)
	}
	return out
}

// maxHeader is the size in bytes of the largest header that is taken apart.
const maxHeader = 1 << 20

// headerEnd ends a header.
var headerEnd = []byte("\r\n\r\n")

// editHeader returns the beginning of a message with edits of its header, or as it
// is and false where they cannot be made. In a header that is larger than maxHeader
// it makes the edits on top only: they need no position, and a sender must not escape
// a tag by such a header.
func editHeader(raw []byte, edits []mime.HeaderEdit) (edited []byte, ok bool) {
	beginning := raw[:min(len(raw), maxHeader)]
	end := bytes.Index(beginning, headerEnd) + len(headerEnd)
	switch {
	case bytes.HasPrefix(beginning, []byte("\r\n")):
		end = len("\r\n")
	case end < len(headerEnd):
		end = 0
		edits = slices.DeleteFunc(slices.Clone(edits), func(e mime.HeaderEdit) bool { return e.Op != mime.OpAdd && e.Op != mime.OpInsert })
	}
	header := mime.Parse(context.Background(), raw[:end:end], mime.Limits{HeaderBytes: maxHeader})
	edited, _, err := header.Apply(mime.Plan{Header: edits})
	if err != nil {
		return raw, false
	}
	return append(edited, raw[end:]...), true
}
