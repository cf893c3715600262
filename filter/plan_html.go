package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/htmledit"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// htmlPlanner plans the edit of an HTML part.
type htmlPlanner struct {
	*planner
	reading     *reading
	text        *text
	source      string
	language    string                   // language of the texts that say why a link was removed; "" until it is needed
	hosts       map[string]*report.Found // hosts that nothing may open, each with the link whose findings say why
	refused     map[int]bool             // offsets of links that stay, because parsers disagree about their place
	plain       bool                     // only flagged links change, and only so that nothing opens them
	flagged     bool                     // only flagged links change
	unseenStays bool                     // a guard forbids the removal of unseen characters
	written     bool                     // linkmilter wrote the part, so its links are readable already
}

// newHTMLPlanner returns the planner for a text of HTML.
func (p *planner) newHTMLPlanner(r *reading, t *text) *htmlPlanner {
	h := &htmlPlanner{planner: p, reading: r, text: t, source: t.content, refused: make(map[int]bool), hosts: make(map[string]*report.Found), written: isWritten(t.content)}
	h.noteHosts()
	return h
}

// noteHosts collects the hosts that nothing may open. They are flagged by themselves, or a link to them
// has a text that names another site. Readers may not agree to which link such a text belongs.
func (h *htmlPlanner) noteHosts() {
	judged := make(map[string]bool)
	for i := range h.text.links {
		l := &h.text.links[i]
		host := l.Link.ASCIIHost()
		if !l.Flagged || l.Place != report.PlaceHTMLLink || host == "" || h.hosts[host] != nil {
			continue
		}
		if !judged[host] {
			judged[host] = true
			if alone := h.judge.OfHost(host); alone.Worst() >= policy.SeverityMedium {
				h.hosts[host] = &report.Found{Link: l.Link, Verdict: alone}
				continue
			}
		}
		if l.Misnamed {
			elsewhere := policy.Finding{Code: policy.CodeTextTargetMismatch, Severity: policy.SeverityMedium}
			h.hosts[host] = &report.Found{Link: l.Link, Verdict: policy.Verdict{Findings: []policy.Finding{elsewhere}}}
		}
	}
}

// isWritten reports whether a source says that linkmilter wrote it. Its links are not made readable
// again. In the original text, characters after a link may have forbidden that; HTML elements hide
// these characters.
func isWritten(source string) bool {
	const head = 256 // bytes that hold the element
	return strings.Contains(source[:min(len(source), head)], `<meta name="generator" content="linkmilter">`)
}

// isFlagged reports whether a link is flagged, or opens a host that nothing may open.
func (h *htmlPlanner) isFlagged(l *report.Found) bool {
	return l.Flagged || l.Place == report.PlaceHTMLLink && h.hosts[l.Link.ASCIIHost()] != nil
}

// removed returns the explanation that is shown after the text of a flagged link.
func (h *htmlPlanner) removed(found *report.Found) string {
	if !found.Flagged {
		found = h.hosts[found.Link.ASCIIHost()]
	}
	if h.language == "" {
		h.language = languageOf(h.source, h.reading.languages(h.text), h.fallback)
	}
	return removedLink(h.judge, h.language, found)
}

// edits returns the edits of an HTML text, none if nothing has to change, or the reason why the text
// cannot be edited.
func (h *htmlPlanner) edits(links []report.Found) ([]mime.Edit, report.Reason) {
	wanted, known := h.needed(h.source, links, false)
	return h.editsFor(links, wanted, known)
}

// editsFor does the work of edits. wanted and known are the results of needed.
func (h *htmlPlanner) editsFor(links []report.Found, wanted []htmledit.Splice, known bool) ([]mime.Edit, report.Reason) {
	splices, reason := h.settled(links, wanted, known)
	if reason == reasonUnproved && unlinks(h.rule) && !h.plain {
		// Added texts may be at places where parsers disagree. It matters more that nothing opens a
		// flagged link.
		h.plain = true
		return h.edits(links)
	}
	if reason != "" {
		return nil, reason
	}
	if h.rule.NeutralOnly {
		if costly := h.reading.mail().CostlySplices(h.source, splices); len(costly) > 0 {
			for _, s := range costly {
				h.refused[s.Start] = true
			}
			edits, reason := h.edits(links)
			if len(edits) == 0 && reason == "" {
				reason = reasonCost
			}
			return edits, reason
		}
		if h.reading.mail().HTMLCosts(h.source, splices) {
			return nil, reasonCost
		}
	}
	replacements := htmledit.Replacements(h.source, splices)
	edits := make([]mime.Edit, 0, len(replacements))
	for _, r := range replacements {
		edits = append(edits, mime.Edit{Start: r.Start, End: r.End, New: []byte(r.New)})
	}
	return edits, ""
}

// maxRounds is the number of times that an edited part is read again.
const maxRounds = 4

// settled returns proved splices. It repeats until the edited part, read again, needs no other splice.
func (h *htmlPlanner) settled(before []report.Found, wanted []htmledit.Splice, known bool) (splices []htmledit.Splice, reason report.Reason) {
	links, after := before, h.source
	for range maxRounds {
		if !known {
			return nil, reasonFlaggedStays
		}
		more := h.located(splices, wanted)
		if len(more) == 0 {
			return splices, h.exposed(before, links, after)
		}
		var ok bool
		if splices, ok = htmledit.Merge(splices, more); !ok {
			return nil, reasonFlaggedStays
		}
		if splices, after, reason = h.proved(splices); reason != "" {
			return nil, reason
		}
		if links, reason = h.readAgain(after); reason != "" {
			return nil, reason
		}
		wanted, known = h.needed(after, links, true)
	}
	return nil, reasonFlaggedStays
}

// proved returns the splices that pass the proof, and the part after them. It leaves out splices at
// places about which parsers disagree.
func (h *htmlPlanner) proved(splices []htmledit.Splice) ([]htmledit.Splice, string, report.Reason) {
	for range maxRounds {
		after, unsure, err := htmledit.Prove(h.ctx, h.source, splices)
		switch {
		case err != nil:
			return nil, "", reasonUnproved
		case unsure == nil:
			return splices, after, ""
		}
		var agreed []htmledit.Splice
		for i, s := range splices {
			if unsure[i] {
				h.refused[s.Start] = true
			} else {
				agreed = append(agreed, s)
			}
		}
		splices = agreed
	}
	return nil, "", reasonUnproved
}

// located translates the splices more, of the part after the splices done, to offsets in the original
// part. It leaves out places about which parsers disagree. It overwrites more.
func (h *htmlPlanner) located(done, more []htmledit.Splice) []htmledit.Splice {
	located := more[:0]
	original := htmledit.Original(done)
	for _, s := range more {
		var ok bool
		if s.Start, s.End, ok = original(s.Start, s.End); ok && !(s.Sure && h.refused[s.Start]) {
			located = append(located, s)
		}
	}
	return located
}

// needed returns the splices that the links of a source need, in order, and false if the place of a
// flagged link is unknown. all removes every attribute of the element, also those not known to open
// something.
func (h *htmlPlanner) needed(source string, links []report.Found, all bool) ([]htmledit.Splice, bool) {
	if removesUnseen(h.rule) && !h.plain && !h.unseenStays {
		if splices := unseenSplices(h.ctx, source); len(splices) > 0 {
			return splices, true // after the removal of unseen characters, other links may be found
		}
	}
	var splices []htmledit.Splice
	done := make(map[int]bool) // places that are handled: several links may have the same place
	for i := range links {
		found := &links[i]
		if found.Guessed || done[found.Link.Start] {
			continue
		}
		switch {
		case !h.isFlagged(found):
			if !h.rule.ReadableHTML || h.plain || h.flagged || h.written || !mayBeReadable(found) {
				continue
			}
			if s, ok := h.readableLink(source, found); ok {
				if splices == nil {
					splices = make([]htmledit.Splice, 0, count(links[i:], func(l report.Found) bool { return mayBeReadable(&l) }))
				}
				splices = append(splices, s)
			}
			continue
		case !unlinks(h.rule):
			continue
		}
		more, ok := h.withoutLink(source, found, all)
		if !ok {
			return nil, false
		}
		done[found.Link.Start] = len(more) > 0
		splices = append(splices, more...)
	}
	return withoutOverlaps(splices), true
}

// withoutLink returns the splices for a flagged link: nothing opens it any more, and its text is
// followed by the explanation. A link in a text is shown as the rule wants it.
func (h *htmlPlanner) withoutLink(source string, found *report.Found, all bool) ([]htmledit.Splice, bool) {
	tag, isTag := htmledit.TagAt(source, found.Link.Start)
	if found.Place == report.PlaceHTMLText && !isTag {
		return h.shownText(source, found), true
	}
	splices, ok := withoutOpener(source, found, all)
	if !ok || h.plain {
		return splices, ok || found.Place == report.PlaceHTMLText
	}
	if !isTag || elementAt(source, tag.Start) != "a" {
		return splices, true
	}
	if _, end, ok := tag.Inside(); ok {
		end = afterWord(source, end)
		splices = append(splices, htmledit.Splice{Start: end, End: end, Text: h.removed(found)})
	}
	return splices, true
}

// shownText returns the splices that show a flagged link in a text as the rule wants it, with the
// explanation after it.
func (h *htmlPlanner) shownText(source string, found *report.Found) (splices []htmledit.Splice) {
	if found.Display == found.Link.Text || h.plain {
		return nil
	}
	written := ""
	for i, text := range htmledit.Texts(source, found.Link.Start, found.Link.End) {
		s := htmledit.Splice{Start: text.Start, End: text.End}
		if written += text.Shown; i == 0 {
			s.Text, s.URL = found.Display, true
		}
		splices = append(splices, s)
	}
	if written != found.Link.Text {
		return nil
	}
	if !h.saysRemoved(source, found.Link.End) {
		reason := htmledit.Splice{Start: splices[0].End, End: splices[0].End, Text: h.removed(found)}
		splices = slices.Insert(splices, 1, reason)
	}
	return splices
}

// saysRemoved reports whether the text after an offset already says that a link was removed.
func (h *htmlPlanner) saysRemoved(source string, at int) bool {
	const enough = 512
	after := ""
	for _, text := range textsFrom(source, at, enough) {
		after += text.Shown
	}
	return saysRemoved(after)
}

// withoutOverlaps sorts the splices and drops each that overlaps an earlier one.
func withoutOverlaps(splices []htmledit.Splice) []htmledit.Splice {
	slices.SortStableFunc(splices, func(a, b htmledit.Splice) int { return a.Start - b.Start })
	end := 0
	return slices.DeleteFunc(splices, func(s htmledit.Splice) bool {
		if s.Start < end {
			return true
		}
		end = s.End
		return false
	})
}

// readAgain returns the links of the part after an edit, or why the part was not read to its end.
func (h *htmlPlanner) readAgain(source string) ([]report.Found, report.Reason) {
	c := &collector{ctx: h.ctx, judge: h.judge, limits: *h.limits, maxLinks: h.maxLinks}
	part := report.Part{Number: h.reading.parts[h.text.part].Number, Outcome: report.OutcomeComplete}
	c.links = make([]report.Found, 0, len(h.text.links)+8)
	if err := c.readHTML(&part, source, basesOf(h.reading.message, h.text.leaf)...); err != nil {
		return nil, reasonDeadline
	}
	h.judge.ShowAs(c.links, h.rule.Flagged)
	return c.links, part.Reason
}

// exposed returns why the part after its edit may not go out: something opens a flagged link, or a text
// keeps one that the rule defangs.
func (h *htmlPlanner) exposed(before, after []report.Found, source string) report.Reason {
	flagged := func(place report.Place) func(report.Found) bool {
		return func(l report.Found) bool { return h.isFlagged(&l) && l.Place == place }
	}
	switch {
	case !unlinks(h.rule):
		if count(after, flagged(report.PlaceHTMLLink)) > count(before, flagged(report.PlaceHTMLLink)) {
			return reasonFlaggedStays
		}
	case slices.ContainsFunc(after, flagged(report.PlaceHTMLLink)), h.scriptsName(source):
		return reasonFlaggedStays
	case h.rule.Flagged == rule.FlaggedDefang && slices.ContainsFunc(after, flagged(report.PlaceHTMLText)):
		return reasonNotDefanged
	}
	return ""
}

// maxCompared bounds the bytes of scripts that are searched for hosts.
const maxCompared = 128 << 20

// scriptsName reports whether a script names a host that nothing may open. The links read from a script
// are not all that it may open. It also returns true if there is too much to search.
func (h *htmlPlanner) scriptsName(source string) bool {
	if len(h.hosts) == 0 {
		return false
	}
	compared := 0
	for script := range htmledit.Scripts(source) {
		script = strings.ToLower(strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(script))
		if compared += len(script) * len(h.hosts); compared > maxCompared {
			return true
		}
		for host, found := range h.hosts {
			if strings.Contains(script, host) || strings.Contains(script, strings.ToLower(found.Link.Components().Host)) {
				return true
			}
		}
	}
	return false
}

func count(links []report.Found, is func(report.Found) bool) int {
	n := 0
	for _, l := range links {
		if is(l) {
			n++
		}
	}
	return n
}

// isBody reports whether a leaf is what readers see of the message: the message itself, an
// alternative, or the first part of another multipart.
func isBody(m *mime.Message, leaf *mime.Part) bool {
	types := make(map[string]string)
	for p := range m.Parts() {
		types[p.Number] = p.MediaType
	}
	for number := leaf.Number; leaf != m.Root; {
		parent, index := "0", number
		i := strings.LastIndexByte(number, '.')
		if i >= 0 {
			parent, index = number[:i], number[i+1:]
		}
		if index != "1" && types[parent] != "multipart/alternative" {
			return false
		}
		if i < 0 {
			break
		}
		number = parent
	}
	return true
}
