package filter

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/cost"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/claim"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// collector collects a reading.
type collector struct {
	reading
	ctx       context.Context
	judge     *judge.Judge
	limits    Limits
	maxLinks  int
	partsRead int            // including parts of attached messages
	bytesRead int            // length of all texts read, in all forms and charsets of all parts
	unchecked int            // bytes judged since the last check of the context
	kept      int            // bytes of the links
	problems  []mime.Reason  // problems of the message's structure, as if the fields to remove were gone
	address   string         // the address of a header field that was judged last
	judged    []report.Found // the links of address
	again     *known         // findings of earlier readings of the part; nil in the first reading
	others    known          // the value that again points to
	inDoubt   bool           // the charset is uncertain, so the text has several readings
	guess     bool           // this reading of the charset may show other characters than the sender wrote
	misread   bool           // this reading shows letters that nobody writes, or is a guess
	multibyte []byte         // the text as written, if characters have several bytes
	mail      claim.Mail     // what the message says about its sender
	within    int            // how many attached messages enclose the text being read
}

// known has the findings of the earlier readings of a part, so that a later reading lists only new
// findings.
type known struct {
	from  int // index of the first link of the later readings
	found map[string]bool
}

// listNew makes the collector list only links that are new: with a finding of medium or above, and not
// among the links from the index first on. This lasts until c.again is set to nil.
func (c *collector) listNew(first int) {
	if c.again != nil {
		return
	}
	c.others = known{from: len(c.links)}
	c.again = &c.others
	for i := range c.links[first:] {
		c.again.isNew(&c.links[first+i], c.judge.FlagsAll())
	}
}

// isNew reports whether a link has a finding of medium or above and no earlier link to the same host
// had the same findings. With all, it need not have a finding. It remembers the link.
func (k *known) isNew(found *report.Found, all bool) bool {
	if !all && found.Verdict.Worst() < policy.SeverityMedium {
		return false
	}
	var key strings.Builder
	key.WriteString(cmp.Or(found.Link.ASCIIHost(), found.Link.Text))
	for _, finding := range found.Verdict.Findings {
		key.WriteString(" " + string(finding.Code))
	}
	if k.found[key.String()] {
		return false
	}
	if k.found == nil {
		k.found = make(map[string]bool)
	}
	k.found[key.String()] = true
	return true
}

// opaque records a kind of content that linkmilter does not read.
func (c *collector) opaque(kind string) {
	if !slices.Contains(c.kinds, kind) {
		c.kinds = append(c.kinds, kind)
	}
}

// cut records why something of the message was left out.
func (c *collector) cut(reason report.Reason) {
	if !slices.Contains(c.reasons, reason) {
		c.reasons = append(c.reasons, reason)
	}
}

// flaw records a broken form. If all that programs show was read nevertheless, the reason is a slip;
// otherwise something was left out.
func (c *collector) flaw(reason report.Reason) {
	if !mime.Reason(reason).Slip() {
		c.cut(reason)
	} else if !slices.Contains(c.slips, reason) {
		c.slips = append(c.slips, reason)
	}
}

// cutPart records why something of a part was left out.
func (c *collector) cutPart(part *report.Part, reason report.Reason) {
	part.Cut(reason)
	c.cut(reason)
}

// settle sets the outcome when reading is over.
func (c *collector) settle() {
	read := func(p report.Part) bool { return p.Outcome != report.OutcomeUnread }
	switch {
	case len(c.reasons) == 0:
		c.outcome = report.OutcomeComplete
	case slices.ContainsFunc(c.parts, read):
		c.outcome = report.OutcomePartial
	default:
		c.outcome = report.OutcomeUnread
	}
}

// unread records a part that was not read, and the reason.
func (c *collector) unread(part report.Part, reason report.Reason) {
	part.Outcome, part.Reason = report.OutcomeUnread, reason
	c.parts = append(c.parts, part)
	c.cut(reason)
}

const (
	// checkJudged is the number of judged bytes after which the collector checks the
	// context: judging takes many times as long as scanning.
	checkJudged = 16 << 10
	// maxKept bounds in bytes the links of a report, including their texts.
	maxKept    = 16 << 20
	costOfLink = 64
)

// mayRead counts a text as read and reports whether the budget allows it. All parts, forms and charsets
// together may take twice the message's length and 16 MiB. Honest mail has few parts with several
// charsets.
func (c *collector) mayRead(text string) bool {
	const times, more = 2, 16 << 20
	c.bytesRead += len(text)
	return c.bytesRead <= times*len(c.message.Raw)+more
}

// spend counts n bytes as judged. After each checkJudged bytes it returns the error of the context.
func (c *collector) spend(n int) error {
	if c.unchecked += n + costOfLink; c.unchecked < checkJudged {
		return nil
	}
	c.unchecked = 0
	return c.ctx.Err()
}

// room reports whether the limits of links allow one more.
func (c *collector) room() bool {
	if len(c.links) < c.maxLinks && c.kept < maxKept {
		return true
	}
	c.cut(reasonTooManyLinks)
	return false
}

// found judges a link and decides how it is shown. more are findings that need more than the link, such
// as the text around it.
func (c *collector) found(part string, link engine.Link, more ...policy.Finding) report.Found {
	found := c.judge.Found(part, link, more...)
	if c.inDoubt {
		c.judge.ForgiveCharset(&found, c.guess || c.misread, c.multibyte)
	}
	return found
}

// add lists a link, unless only new links are listed and this one is known.
func (c *collector) add(found report.Found) {
	if c.again != nil {
		if !c.again.isNew(&found, c.judge.FlagsAll()) {
			return
		}
		found.Guessed = true
	}
	if judge.OnlyHostJudged(found) {
		c.cut(reasonLinkTooLong)
	}
	c.kept += size(&found)
	c.links = append(c.links, found)
}

// size returns about how many bytes a link and its findings take.
func size(found *report.Found) int {
	const ofFound, ofFinding = 256, 64
	n := ofFound + len(found.Link.Text) + len(found.Href) + len(found.Display)
	for _, finding := range found.Verdict.Findings {
		n += ofFinding + len(finding.Label) + len(finding.Detail)
	}
	return n
}

// each calls judge for each link of a scan. If the limit of links is reached, it stops and the part
// says so. It returns the error of the context.
func (c *collector) each(part *report.Part, scan judge.LinkScan, judge func(engine.Link)) error {
	var room [8]engine.Link
	for links := scan.More(room[:0]); len(links) > 0; links = scan.More(links[:0]) {
		for _, link := range links {
			if !c.room() {
				part.Cut(reasonTooManyLinks)
				return nil
			}
			if err := c.spend(len(link.Text)); err != nil {
				return err
			}
			judge(link)
		}
	}
	return scan.Err
}

// close adds a part that was read. The links from the index first on are in it.
func (c *collector) close(part report.Part, first int) {
	own := c.links[first:]
	if slices.ContainsFunc(own, judge.OnlyHostJudged) {
		part.Cut(reasonLinkTooLong)
	}
	c.parts = append(c.parts, part)
}

// readPlain finds and judges the links of a text. It reports the error of the context.
func (c *collector) readPlain(part *report.Part, content string) error {
	beside, before := c.judge.InText(c.ctx, content), engine.Link{}
	return c.each(part, c.judge.Finder.JoinedScan(c.ctx, content), func(link engine.Link) {
		found := c.found(part.Number, link, append(beside.Findings(link, before), c.judge.OfQuery(link)...)...)
		before = link
		judge.UnlinkUnmeant(&found, content)
		c.add(found)
	})
}

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
	differ  [2]string       // two hosts, each of which only some programs show in a broken text
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
	onlyUnseen  bool           // a guard allows no edit but the removal of unseen characters
	removed     []span         // ranges of unseen characters in the message's text, which content lacks
	dead        map[int]bool   // indexes of links that are defanged although they are not flagged
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

// showAs shows the links as the rule wants flagged ones to be shown.
func (r *reading) showAs(j *judge.Judge, flagged rule.Flagged) {
	j.ShowAs(r.links, flagged)
	for _, texts := range [...][]text{r.texts, r.htmls} {
		for i := range texts {
			t := &texts[i]
			t.links = r.links[t.at : t.at+len(t.links)] // the list may have moved since
		}
	}
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
