package filter

import (
	"context"
	"io"
	"slices"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/cost"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/alternative"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/stream"
	"github.com/linkmilter/linkmilter/mime"
)

// planner plans the edit of a body.
type planner struct {
	ctx      context.Context
	judge    *judge.Judge
	limits   *Limits
	rule     *rule.Rule
	maxLinks int              // largest number of links in a message
	flagged  bool             // only messages with a flagged link are edited
	fallback string           // of reasons in texts whose language nothing tells
	sevenBit bool             // the result is signed, and the signer wants texts to be 7-bit
	signsAll bool             // a message without edits is signed, too
	guarded  [2]func() []int  // messageGuards for plain texts and for HTML; nil before they are needed
	links    []engine.Link    // scratch for the links of a text
	notDone  *[]report.Reason // scratch for the reasons of the parts
}

// wantsAlternative reports whether the rule asks for an alternative of a text.
func (p *planner) wantsAlternative(t *text) bool {
	return p.rule.HTML == rule.HTMLAlways || p.rule.HTML == rule.HTMLNeeded && t.needsAlternative(p.rule.Flagged)
}

// wantsRewrite reports whether the rule asks for links of a text to be rewritten.
func (p *planner) wantsRewrite(t *text) bool {
	return p.rule.Plain == rule.PlainReadable && t.needsRewrite(p.rule.Flagged)
}

// needsAlternative reports whether an HTML alternative shows more than the text.
func (t *text) needsAlternative(flagged rule.Flagged) bool {
	return t.needsDefang(flagged) || slices.ContainsFunc(t.links, func(l report.Found) bool {
		// Some programs end links at the first character beyond ASCII.
		return !l.Broken && (l.Flagged && l.Display != l.Link.Text || isBetter(l.Link.Text, l.Display)) || l.Linked && !ascii.Is(l.Link.Text)
	})
}

// text plans the edit of a plain text as the rule asks, or returns why it is not edited. A text next to
// HTML gets no alternative.
func (p *planner) text(r *reading, t *text) (mime.Plan, report.Reason) {
	m := r.message
	plan := mime.Plan{SevenBit: p.sevenBit}
	reason := reasonNothing
	wantsAlternative, wantsRewrite := p.wantsAlternative(t) && !t.onlyFlagged && !t.onlyUnseen && !hasHTML(r), p.wantsRewrite(t) && !t.onlyUnseen
	neutral := p.rule.NeutralOnly && !t.needsDefang(p.rule.Flagged) // defanging matters more than the cost
	var shown *shownText
	if wantsAlternative && neutral {
		switch shown = p.shown(t); {
		case p.rule.HTML == rule.HTMLNeeded && !t.improves(shown.links):
			wantsAlternative = false
		case r.mail().AlternativeCosts(cost.Text{Content: t.content, Links: t.links}, shown.links):
			reason = reasonCost
			wantsAlternative = false
		}
		if !wantsAlternative {
			wantsRewrite = wantsRewrite || p.rule.Plain == rule.PlainNeeded && t.needsRewrite(p.rule.Flagged)
		}
	}
	if wantsRewrite && neutral && r.mail().RewriteCosts(cost.Text{Content: t.content, Links: t.links}) {
		if len(t.removed) == 0 {
			return mime.Plan{}, reasonCost
		}
		wantsRewrite = false
	}
	const maxTurns = 4
	for turn, agreed := 0, !wantsRewrite && len(t.removed) == 0 && !(plan.SevenBit && wantsAlternative); !agreed; turn++ {
		if turn == maxTurns {
			return mime.Plan{}, reasonNotDefanged
		}
		plan = mime.Plan{SevenBit: p.sevenBit}
		if failed := p.planRewrite(m, &plan, t, wantsRewrite); failed != "" {
			if wantsRewrite && t.needsDefang(p.rule.Flagged) {
				return mime.Plan{}, failed // the report must not say that flagged links were defanged
			}
			reason = failed
		}
		// The plain text and the alternative must defang the same links, but defanging more in one may
		// require more in the other. So this repeats until both agree.
		dead := len(t.dead)
		if wantsAlternative {
			shown = p.shown(t)
		}
		agreed = len(t.dead) == dead
	}
	if wantsAlternative {
		if shown == nil {
			shown = p.shown(t)
		}
		if failed := p.planAlternative(m, &plan, t, shown); failed != "" {
			return mime.Plan{}, failed
		}
	}
	if plan.Empty() {
		return mime.Plan{}, reason
	}
	return plan, ""
}

// improves reports whether an alternative with these links is better to read or to open than the plain
// text. links may show a host in ASCII because MailScanner would take its Unicode form for a fraud.
func (t *text) improves(links []alternative.Link) bool {
	return slices.ContainsFunc(links, func(l alternative.Link) bool {
		typed := t.content[l.Start:l.End]
		if l.Href == "" {
			return l.Display != "" && l.Display != typed
		}
		return l.Display != "" && isBetter(typed, l.Display) || !ascii.Is(typed)
	})
}

// planRewrite plans the rewritten links of a text, or returns why it cannot. With links false it only
// plans another transfer encoding.
func (p *planner) planRewrite(m *mime.Message, plan *mime.Plan, t *text, links bool) report.Reason {
	var edits []mime.Edit
	if links {
		var reason report.Reason
		if edits, reason = rewrites(p.ctx, p.judge, t, p.rule.Flagged); reason != "" {
			return reason
		}
	}
	if err := m.RewriteText(plan, t.leaf, t.withRemoved(edits)); err != nil {
		return reasonOf(err)
	}
	return ""
}

// planAlternative plans the HTML alternative of a text, or returns why it cannot.
func (p *planner) planAlternative(m *mime.Message, plan *mime.Plan, t *text, shown *shownText) report.Reason {
	if shown.exposed {
		return reasonNotDefanged
	}
	if err := m.AddAlternative(plan, t.leaf, p.document(t.content, shown.links)); err != nil {
		return reasonOf(err)
	}
	return ""
}

// document returns a text with its links as an HTML document.
func (p *planner) document(content string, links []alternative.Link) func(io.Writer) error {
	return func(out io.Writer) error {
		return alternative.Write(bounded(p.ctx, out, p.limits.Growth), content, links)
	}
}

// shownText has the links of a text as an alternative shows them, and the defanged pieces of text
// around them.
type shownText struct {
	links   []alternative.Link
	exposed bool // the rule defangs flagged links, but one would stay, or defanging would make a new one
}

// shown returns how an alternative shows the links of a text.
func (p *planner) shown(t *text) *shownText {
	seen := seenIn(t, p.rule.NeutralOnly)
	s := newSplice(p.ctx, p.judge, t, p.rule.Flagged, func(l *report.Found, _ rule.Flagged) string { return seen(l) })
	if s.defang && !s.settle(s.exposed) {
		return &shownText{exposed: true}
	}
	links := make([]alternative.Link, 0, len(s.replaced))
	for i := range s.replaced {
		r := &s.replaced[i]
		shown := alternative.Link{Start: r.start, End: r.end, Display: r.new}
		if r.found != nil && r.found.Linked {
			shown.Href = hrefOf(r.found)
		}
		links = append(links, shown)
	}
	return &shownText{links: links}
}

// checkBytes is the number of bytes after which a writer checks the context.
const checkBytes = 64 << 10

// bounded returns a writer to out that fails after left bytes, or when the context ends.
func bounded(ctx context.Context, out io.Writer, left int) io.Writer {
	unchecked := 0 // bytes written since the last check of the context
	return stream.Writer(func(p []byte) (int, error) {
		if left -= len(p); left < 0 {
			return 0, errGrowth
		}
		if unchecked += len(p); unchecked > checkBytes {
			unchecked = 0
			if err := ctx.Err(); err != nil {
				return 0, err
			}
		}
		return out.Write(p)
	})
}
