package htmlpart

import (
	"slices"

	"golang.org/x/net/html/atom"
)

// buttonOf returns an element that sends a form, as another reading of the form: it opens the same.
// It returns nil for other elements.
func (r *reader) buttonOf(e *element, a *attributes, at place) *openLink {
	if e.atom != atom.Button && e.atom != atom.Input && e.atom != atom.Label {
		return nil
	}
	f := r.formOf(e.atom, a)
	if e.atom == atom.Label {
		f = form{urls: r.labelled(a, at), at: at}
	}
	if len(f.urls) == 0 {
		return nil
	}
	l := r.newLink(e, f.urls, f.at, a, false)
	l.item.Element, l.item.Again = "form", true
	return l
}

const (
	// maxBeside is the number of bytes of the text before a button that a reader takes
	// for its label.
	maxBeside = 512
	// maxSends is the number of buttons of a form that get the text behind them.
	maxSends = 8
)

// showBeside notes a text outside of references.
func (p *pass) showBeside(s string) {
	if !p.buttons {
		return
	}
	p.beside = append(p.beside, p.besideBlanks.squeeze(s)...)
	if extra := len(p.beside) - maxBeside; extra > maxBeside {
		p.beside = append(p.beside[:0], p.beside[extra:]...)
	}
}

// labelButton gives a button the text before it as a label.
func (p *pass) labelButton(tag atom.Atom, l *openLink) {
	if tag != atom.Button && tag != atom.Input {
		return
	}
	l.item.addLabel(string(p.beside[max(0, len(p.beside)-maxBeside):]))
	if len(p.sends) < maxSends {
		p.sends = append(p.sends, &openLink{urls: l.urls, item: Item{Element: l.item.Element, Start: l.item.Start, End: l.item.End, Again: true}})
	}
}

// isIgnoredForm reports whether a parser ignores the start tag of a form, since another one has not
// ended (HTML §13.2.6.4.7). Where the source is irregular its tree says so.
func (p *pass) isIgnoredForm(tag atom.Atom) bool {
	return tag == atom.Form && p.inForm && !p.odd && !p.irregular && !p.conditional && !p.isForeign() && !p.inTableParts() && !p.isOpen(atom.Select)
}

// ignoreForm yields what a form opens that a parser ignores, as another reading. The buttons that
// follow open that, too.
func (p *pass) ignoreForm(e *element, a *attributes) {
	at := place{p.start, p.pos}
	around, last, behind, generated := p.form, p.last, p.behind, p.generated
	p.last = linkBefore{}
	urls, _ := p.opened("form", a, at)
	p.script(a.readScripts(), at)
	p.partial = p.partial || a.cut
	if len(urls) > 0 {
		l := p.newLink(e, urls, at, a, false)
		l.item.Again = true
		p.sendLink(l)
	}
	p.readFrame("form", a, at)
	p.form, p.last, p.behind, p.generated = around, last, behind, generated
	for _, url := range urls {
		if slices.Contains(p.form.urls, url) {
			continue
		}
		if len(p.form.urls) >= maxSameID {
			p.odd = true // the tree says which form a button sends
			return
		}
		p.form.urls = append(slices.Clip(p.form.urls), url)
	}
}

// endForm ends the open form. The text behind its buttons labels them, too.
func (p *pass) endForm() {
	for _, l := range p.sends {
		l.item.addLabel(string(p.beside))
		if len(l.item.Labels) > 0 {
			p.behind = away
			p.sendLink(l)
		}
	}
	p.sends, p.beside, p.form = nil, p.beside[:0], form{}
}
