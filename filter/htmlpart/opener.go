package htmlpart

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// targets appends the references of an element, as written, and reports whether it shows
// nothing that a reader clicks on. name is without a prefix, in lower case.
func (r *reader) targets(references []string, name string, a *attributes) (appended []string, silent bool) {
	add := func(reference string) {
		if reference != "" {
			references = append(references, reference)
		}
	}
	switch name {
	case "link", "base", "use", "image":
		add(a.href)
		return references, name == "link"
	case "form", "isindex":
		add(a.action)
	case "button", "input":
		add(a.formaction)
	case "iframe", "frame", "embed", "fencedframe", "portal", "layer", "ilayer":
		add(a.src)
	case "object":
		add(a.data)
	case "param":
		if strings.Contains(a.value, "//") {
			add(a.value)
		}
		return references, true
	case "meta":
		if strings.EqualFold(trim(a.httpEquiv), "refresh") {
			add(refreshTarget(a.content))
		}
		return references, false
	case "set", "animate", "animatemotion", "animatetransform", "animatecolor":
		if i := strings.LastIndexByte(a.attributeName, ':'); strings.EqualFold(trim(a.attributeName[i+1:]), "href") {
			add(a.to)
			add(a.from)
			add(a.by)
			for value := range strings.SplitSeq(a.values, ";") {
				add(value)
			}
		}
	}
	add(a.href)
	if a.prefixed != a.href {
		add(a.prefixed)
	}
	switch name {
	case "a", "area":
		if a.hasHref && a.href == "" {
			references = append(references, "") // the base
		}
	case "button", "input":
	case "body", "html":
		return references, false
	default:
		if !a.clicked {
			return references, false
		}
	}
	return append(references, r.scriptURLs(a.scripts)...), false
}

// submits reports whether an element sends the form that it belongs to.
func (a *attributes) submits(tag atom.Atom) bool {
	switch tag {
	case atom.Button:
		return !strings.EqualFold(a.typ, "button") && !strings.EqualFold(a.typ, "reset")
	case atom.Input:
		return strings.EqualFold(a.typ, "submit") || strings.EqualFold(a.typ, "image")
	}
	return false
}

// isAnimation reports whether an element animates the one around it. name is without a
// prefix, in lower case.
func isAnimation(tag atom.Atom, name string) bool {
	return tag == 0 && (name == "set" || strings.HasPrefix(name, "animate"))
}

// opens reports whether an element with a reference may be one that browsers open.
func opens(tag atom.Atom) bool {
	switch tag {
	case atom.Button, atom.Embed, atom.Form, atom.Frame, atom.Iframe, atom.Input, atom.Label, atom.Meta, atom.Object, atom.Param:
		return true
	}
	return opensByHref(tag)
}

// opensByHref reports whether browsers know href of an element of HTML.
func opensByHref(tag atom.Atom) bool {
	return tag == atom.A || tag == atom.Area || tag == atom.Base || tag == atom.Link
}
