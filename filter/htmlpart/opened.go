package htmlpart

import "golang.org/x/net/html/atom"

// opened returns the URLs that an element may open, and whether a reader cannot click
// on it.
func (r *reader) opened(name string, a *attributes, at place) (urls []string, silent bool) {
	r.room.references, silent = r.targets(r.room.references[:0], name, a)
	for _, reference := range r.room.references {
		urls = r.resolve(urls, reference)
	}
	if name == "script" {
		r.runs(a, at)
	}
	if name == "form" {
		r.hasForms = true
		r.form = form{urls: urls, at: at}
		r.nameForm(a, urls, at)
	}
	if len(r.animated) > 0 && a.id != "" {
		urls = append(urls, r.animated[a.id]...)
	}
	return urls, silent
}

// formOf returns the form that a button sends, if any: the one that it names, or that around.
func (r *reader) formOf(tag atom.Atom, a *attributes) form {
	if tag != atom.Button && tag != atom.Input || !a.submits(tag) {
		return form{}
	}
	if named, ok := r.forms[a.form]; ok && a.form != "" {
		return named
	}
	return r.form
}
