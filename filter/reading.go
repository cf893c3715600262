package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/filter/cost"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/claim"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
)

// reading has what was read of a message. It does not change after collector.read.
type reading struct {
	env        *envelope.Envelope
	message    *mime.Message
	header     report.Header       // the fields by which people recognise the message
	beyond     []byte              // the bytes after message, which were not read
	truncated  bool                // message is only the beginning of the message
	robots     []pattern.Glob      // addresses of programs
	signatures mailauth.Signatures // signatures of the message as it came
	results    []mailauth.Result   // results of authentication by trusted servers

	outcome report.Outcome
	reasons []report.Reason
	slips   []report.Reason // in spite of which all was read
	differ  [2]string       // hosts that some programs show in a text and others do not, and the other way round
	parts   []report.Part
	links   []report.Found
	claims  []claim.Finding
	kinds   []string // kinds of content that is not read, in order
	texts   []text   // the plain texts of the message and of attached messages, in order
	htmls   []text   // the texts of its HTML parts, in order
	unseen  []report.Unseen
}

// text is a plain text, or the text of an HTML part, that was read.
type text struct {
	leaf        *mime.Part
	content     string         // UTF-8 without soft line breaks
	links       []report.Found // the links in the text: a slice of reading.links
	at          int            // index of links[0] in reading.links
	part        int            // index into reading.parts
	html        bool           // the text is HTML
	attached    bool           // the text is in an attached message
	first       bool           // readers see the text first
	inDoubt     bool           // programs may read another text in this part
	onlyFlagged bool           // a guard allows edits of flagged links only
	onlyUnseen  bool           // a guard lets only unseen characters be removed
	removed     []span         // the unseen characters of the message's text that content lacks
	dead        map[int]bool   // the indexes of links that are defanged though they are not flagged
}

// hasType reports whether a part of the message has one of the media types.
func (r *reading) hasType(mediaTypes ...string) bool {
	for p := range r.message.Parts() {
		if slices.Contains(mediaTypes, p.MediaType) {
			return true
		}
	}
	return false
}

// hasField reports whether the message's header has a field called name.
func (r *reading) hasField(name string) bool {
	return slices.ContainsFunc(r.message.Root.Fields, func(f mime.Field) bool { return ascii.EqualFold(f.Name, name) })
}

// hasFieldPrefix reports whether a field's name begins with prefix.
func (r *reading) hasFieldPrefix(prefix string) bool {
	return slices.ContainsFunc(r.message.Root.Fields, func(f mime.Field) bool {
		return ascii.HasPrefixFold(f.Name, prefix)
	})
}

// values returns the values of the fields called name, unfolded.
func (r *reading) values(name string) []string { return r.valuesBy(r.message.FieldValue, name) }

// decoded returns the decoded values of the fields called name.
func (r *reading) decoded(name string) []string { return r.valuesBy(r.message.DecodedValue, name) }

func (r *reading) valuesBy(value func(mime.Field) string, name string) []string {
	var values []string
	for _, f := range r.message.Root.Fields {
		if ascii.EqualFold(f.Name, name) {
			values = append(values, value(f))
		}
	}
	return values
}

// authenticated returns the results of authentication by trusted servers.
func (r *reading) authenticated() []mailauth.Result { return r.results }

// unfinished returns why linkmilter did not read the message to its end through its own fault: a defect
// or the deadline. Otherwise "".
func (r *reading) unfinished() report.Reason {
	for _, reason := range []report.Reason{reasonPanic, reasonDeadline} {
		if slices.Contains(r.reasons, reason) {
			return reason
		}
	}
	return ""
}

// hasFlagged reports whether a link in the body of the message is flagged.
func hasFlagged(r *reading) bool {
	return slices.ContainsFunc(r.links, func(l report.Found) bool {
		return l.Flagged && l.Place != report.PlaceHeader && l.Place != report.PlaceEnvelope
	})
}

// mail returns the message in the form that package cost takes.
func (r *reading) mail() *cost.Mail {
	parts := func(texts []text) (all []cost.Part) {
		for i := range texts {
			all = append(all, cost.Part{Content: texts[i].content, Attached: texts[i].attached})
		}
		return all
	}
	return &cost.Mail{
		Subject:     func() string { return strings.Join(r.decoded("Subject"), " ") },
		Alternative: r.message.Root.MediaType == "multipart/alternative",
		Texts:       parts(r.texts), Pages: parts(r.htmls),
	}
}
