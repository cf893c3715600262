package filter

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// plan plans the edit that the rule asks for, where no guard forbids it.
func (p *planner) plan(r *reading, optedOut bool) edit {
	html := make([][]mime.Edit, len(r.htmls))
	e := edit{notDone: p.reasons(r, optedOut, html), optedOut: optedOut}
	for i := range r.texts {
		t := &r.texts[i]
		switch {
		case e.notDone[t.part] != "":
		case e.planned():
			e.notDone[t.part] = reasonNotFirst
		default:
			shown := *t
			if p.cleans(t) {
				shown, e.readAgain = p.cleaned(r, t), true
			} else if p.rule.Flagged == rule.FlaggedDefang {
				// Defanging may change how honest links next to flagged ones are shown.
				shown.links = slices.Clone(t.links)
				e.defanged, e.first = shown.links, t.at
			}
			e.plan, e.notDone[t.part] = p.text(r, &shown)
			if body := len(r.message.Body(t.leaf)); p.rule.NeutralOnly && added(&e.plan) > maxAdded(body) && !t.needsDefang(p.rule.Flagged) {
				e.plan, e.notDone[t.part] = mime.Plan{}, reasonCost
			}
		}
	}
	p.planHTML(r, &e, html)
	p.planDefanged(r, &e)
	if p.sevenBit {
		e = p.converted(r, e)
	}
	if !e.planned() {
		e.reason, e.defanged = cmp.Or(e.reason, notEdited(e.notDone)), nil
	}
	return e
}

// maxAdded returns how many bytes an edit may add to a text of size bytes if the rule allows no edit
// that costs: 2.2 times the size, and 1 KiB. Long lists of short links and deeply quoted text grow
// more.
func maxAdded(size int) int { return size*22/10 + 1<<10 }

// added returns how many bytes a plan adds to the body.
func added(plan *mime.Plan) int {
	n := 0
	for _, e := range plan.Body {
		n += len(e.New) - (e.End - e.Start)
	}
	return n
}

// planHTML adds the edits of the HTML parts. If one of the edits fails, or a part that is not edited
// opens a flagged link, the message is not edited at all.
func (p *planner) planHTML(r *reading, e *edit, edits [][]mime.Edit) {
	if !editsHTML(p.rule) || e.optedOut {
		return
	}
	edited := make(map[string]bool)
	e.plan.SevenBit = e.plan.SevenBit || p.sevenBit
	for i := range r.htmls {
		t := &r.htmls[i]
		if len(edits[i]) > 0 && e.notDone[t.part] == "" {
			e.notDone[t.part] = p.rewriteHTML(r, t, &e.plan, edits[i])
		}
		done := e.notDone[t.part] == ""
		edited[r.parts[t.part].Number] = done
		e.readAgain = e.readAgain || done && unlinks(p.rule) && t.inDoubt
	}
	reason := p.firstFailure(r, e)
	opens := func(l report.Found) bool {
		return l.Flagged && l.Place == report.PlaceHTMLLink && (l.Guessed || !edited[l.Part])
	}
	if reason == "" && unlinks(p.rule) && slices.ContainsFunc(r.links, opens) {
		reason = reasonFlaggedStays
	}
	if reason != "" {
		*e = e.dropped(reason)
	}
}

// rewriteHTML plans the edits of an HTML part, or returns why it cannot be edited.
func (p *planner) rewriteHTML(r *reading, t *text, plan *mime.Plan, edits []mime.Edit) report.Reason {
	err := r.message.RewriteText(plan, t.leaf, edits)
	if err != nil && unlinks(p.rule) {
		// The explanations of removed links may make a line too long: try without them.
		h := p.newHTMLPlanner(r, t)
		h.plain = true
		if edits, reason := h.edits(t.links); reason == "" && len(edits) > 0 {
			err = r.message.RewriteText(plan, t.leaf, edits)
		}
	}
	if err != nil {
		return reasonOf(err)
	}
	return ""
}

// reasons returns for each part why it is not edited, or "" if it will be. It fills in the edits of the
// HTML parts.
func (p *planner) reasons(r *reading, optedOut bool, html [][]mime.Edit) []report.Reason {
	notDone := append((*p.notDone)[:0], make([]report.Reason, len(r.parts))...)
	*p.notDone = notDone
	asked := asksForEdit(p.rule)
	for i, part := range r.parts {
		switch {
		case !asked:
			notDone[i] = reasonNotAsked
		case optedOut:
			notDone[i] = reasonOptedOut
		case p.flagged && !p.hasFlagged(r):
			notDone[i] = reasonNothing
		case part.MediaType != "text/plain" && (part.MediaType != "text/html" || !editsHTML(p.rule)) && part.Outcome != report.OutcomeUnread:
			notDone[i] = reasonNotPlain
		default:
			notDone[i] = cmp.Or(part.Reason, part.Locked)
		}
	}
	if !asked || optedOut || p.flagged && !p.hasFlagged(r) {
		return notDone
	}
	if len(r.texts) > 0 {
		p.reasonsOfTexts(r, notDone)
	}
	if len(r.htmls) > 0 && editsHTML(p.rule) {
		p.reasonsOfHTML(r, notDone, html)
	}
	return notDone
}

// reasonsOfTexts fills in the reasons of the plain texts.
func (p *planner) reasonsOfTexts(r *reading, notDone []report.Reason) {
	for i := range r.texts {
		t := &r.texts[i]
		if !p.wantsAlternative(t) && !p.wantsRewrite(t) && !p.cleans(t) {
			notDone[t.part] = reasonNothing
			continue
		}
		if notDone[t.part] != "" {
			continue
		}
		reason, flagged := p.guardOf(r, t)
		if flagged && p.wantsRewrite(t) && t.needsDefang(p.rule.Flagged) {
			t.onlyFlagged, reason = true, ""
		}
		if reason != "" && p.cleans(t) {
			reason = p.unseenReason(r, t, reason)
			t.onlyUnseen = reason == ""
		}
		notDone[t.part] = reason
	}
}

// guardOf returns the reason not to edit a text, or "", and whether its flagged links may still be
// edited.
func (p *planner) guardOf(r *reading, t *text) (reason report.Reason, flagged bool) {
	// Programs may read a malformed message in more than one way: linkmilter does not edit it.
	if problems := r.message.Problems; len(problems) > 0 {
		return report.Reason(problems[0]), false
	}
	kind := 0
	if t.html {
		kind = 1
	}
	if p.guarded[kind] == nil { // computed once, for all plain texts or for all HTML
		p.guarded[kind] = sync.OnceValue(func() []int { return messageGuards(r, p.rule, t.html) })
	}
	holding := p.guarded[kind]()
	for i := range guards {
		g := &guards[i]
		if g.text == nil && !slices.Contains(holding, i) || g.text != nil && !g.text(t, p.limits) {
			continue
		}
		if !g.allows(t, p.rule) {
			return g.reason, false
		}
		reason, flagged = cmp.Or(reason, g.reason), true
	}
	return reason, flagged
}

// firstFailure is the function firstFailure, but for HTML that loses flagged links. A plain text that a
// guard protects, and that has nothing to defang, does not prevent their removal.
func (p *planner) firstFailure(r *reading, e *edit) report.Reason {
	notDone := e.notDone
	if unlinks(p.rule) && e.planned() && hasFlagged(r) {
		notDone = slices.Clone(notDone)
		for i := range r.texts {
			t := &r.texts[i]
			if isGuard(notDone[t.part]) && !(p.wantsRewrite(t) && t.needsDefang(p.rule.Flagged)) {
				notDone[t.part] = reasonNothing
			}
		}
	}
	return firstFailure(r, p.rule, notDone)
}

// reasonsOfHTML fills in the reasons and edits of the HTML parts.
func (p *planner) reasonsOfHTML(r *reading, notDone []report.Reason, edits [][]mime.Edit) {
	for i := range r.htmls {
		t := &r.htmls[i]
		h := p.newHTMLPlanner(r, t)
		wanted, known := h.needed(t.content, t.links, false)
		if known && len(wanted) == 0 {
			notDone[t.part] = reasonNothing
			continue
		}
		if notDone[t.part] != "" {
			continue
		}
		reason, flagged := p.guardOf(r, t)
		if h.flagged = flagged; reason != "" {
			unseen := p.unseenReason(r, t, reason)
			if h.unseenStays = unseen != ""; unseen == reasonNothing && len(wanted) > 0 && isUnseenOnly(wanted) {
				reason = reasonNothing
			}
		}
		if flagged {
			wanted, known = h.needed(t.content, t.links, false)
			if !known || len(wanted) > 0 {
				reason = ""
			}
		}
		if reason != "" {
			notDone[t.part] = reason
			continue
		}
		edits[i], notDone[t.part] = h.editsFor(t.links, wanted, known)
		if len(edits[i]) == 0 && notDone[t.part] == "" {
			notDone[t.part] = reasonNothing
		}
	}
}

// defangedTexts says of which kinds of texts no flagged link may stay.
type defangedTexts struct{ plain, html bool }

// defangedIn returns which texts of a message the rule defangs. A plain text next to HTML that the rule
// does not edit stays as it is.
func defangedIn(r *reading, u *rule.Rule) defangedTexts {
	return defangedTexts{plain: defangsPlain(u) && (editsLinks(u) || !hasHTML(r)), html: defangsHTML(u)}
}

// has reports whether no flagged link may stay in a part. Mail programs show parts of all text types
// and XHTML, also attached parts and parts of attached messages (RFC 2046 §4.1.4). Other attachments
// open in another program.
func (d defangedTexts) has(part *report.Part) bool {
	if isHTML := strings.Contains(part.MediaType, "html"); isHTML {
		return d.html
	}
	return d.plain && strings.HasPrefix(part.MediaType, "text/")
}

// links returns the flagged links in the texts that may keep none.
func (d defangedTexts) links(r *reading) (links []*report.Found) {
	if !d.plain && !d.html || !hasFlagged(r) {
		return nil
	}
	texts := make(map[string]bool) // the numbers of the parts
	for i := range r.parts {
		if d.has(&r.parts[i]) {
			texts[r.parts[i].Number] = true
		}
	}
	for i := range r.links {
		if l := &r.links[i]; l.Flagged && texts[l.Part] {
			links = append(links, l)
		}
	}
	return links
}

// remain reports whether flagged links stay in a message after its edit. Brackets of a defanged
// link may make a new link of the text behind them, such as a user name or path. A new link counts
// if its host was in the message before and is flagged by itself.
func (d defangedTexts) remain(j *judge.Judge, before, after *reading) bool {
	texts, hosts := make(map[string]bool), make(map[string]bool)
	for _, l := range d.links(before) {
		texts[l.Link.Text] = true
		if host := l.Link.ASCIIHost(); !hosts[host] {
			hosts[host] = j.OfHost(host).Worst() >= policy.SeverityMedium
		}
	}
	return slices.ContainsFunc(d.links(after), func(l *report.Found) bool { return texts[l.Link.Text] || hosts[l.Link.ASCIIHost()] })
}

// planDefanged gives up the edit if a text would keep a flagged link that the rule defangs.
func (p *planner) planDefanged(r *reading, e *edit) {
	links := defangedIn(r, p.rule).links(r)
	if len(links) == 0 || e.reason != "" || e.optedOut || p.firstFailure(r, e) != "" {
		return
	}
	edited := make(map[string]bool)
	for i, part := range r.parts {
		edited[part.Number] = e.planned() && e.notDone[i] == ""
	}
	for _, t := range r.texts {
		// A later reading of a part does not list the hosts of the first reading again, so the list
		// may lack links at other places.
		e.readAgain = e.readAgain || edited[r.parts[t.part].Number] && t.inDoubt
	}
	for _, l := range links {
		if !edited[l.Part] {
			*e = e.dropped(reasonNotDefanged)
			return
		}
		e.readAgain = e.readAgain || l.Guessed // the link is only in a later reading, not in the text that the edit changes
	}
}
