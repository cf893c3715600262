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
	reason                 mailserver.Reason // why it goes on without the edit of its content; "": no edit was dropped
}

// edit returns the message raw with the edits of the filter. cut says that raw is only the
// beginning. The next hop accepts messages of up to limit bytes; 0 means any size.
func edit(raw []byte, cut bool, r *filter.Result, limit int64) outgoing {
	if cut {
		return tag(raw, r)
	}
	if r.Edited == nil {
		return outgoing{content: raw}
	}
	if limit > 0 && int64(len(r.Edited)) > limit && int64(len(raw)) <= limit {
		// The next hop would refuse the edited message because of its size, but accepts the
		// original.
		return outgoing{content: raw, reason: mailserver.ReasonTooLarge}
	}
	return outgoing{content: r.Edited, edited: !r.Plan.Empty(), tagged: r.EditsHeader(), signed: r.Report.Signed != ""}
}

// tag returns the beginning of a message with the edits of its header. The content is not edited,
// because only its beginning is known.
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

// maxHeader is the size in bytes of the largest header whose fields are edited.
const maxHeader = 1 << 20

// headerEnd ends a header.
var headerEnd = []byte("\r\n\r\n")

// editHeader returns the beginning of a message with edits of its header, or unchanged and false if
// they cannot be made. In a header larger than maxHeader it makes only the edits on top, which need
// no position: a sender must not avoid tags by such a header.
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
