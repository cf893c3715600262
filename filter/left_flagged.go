package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

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

// remain reports whether flagged links stay in a message after its edit. Defanging may make new links
// of a rest, since brackets now separate a user name or path. Such a link counts if its host was there
// before and is flagged by itself.
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
		// A later reading does not list a host again that the first reading has, so it may hide a link
		// at another place.
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
