package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/script"
)

// maxElementScripts bounds the bytes of an element's script attributes that are read.
const maxElementScripts = 64 << 10

// opener is what an element opens.
type opener struct {
	references []string // as written
	scripts    string   // its script attributes, and URLs that only some programs open
	silent     bool     // a reader cannot click on it
	cut        bool     // some scripts were not read
}

// opener returns what an element opens. Loading is not opening: pictures, fonts and style sheets are
// only loaded.
func (e *element) opener() (o opener) {
	if len(e.node.Attr) == 0 {
		return o
	}
	add := func(reference string) {
		if trim(reference) != "" {
			o.references = append(o.references, reference)
		}
	}
	action := e.isProperty()
	e.attributes(func(name, local, value string) {
		if !action && !MayOpen(e.name, name) {
			return
		}
		a := openingAttributes[local]
		switch {
		case a.refers == nil || !a.refers(e, name, value):
		case a.isList:
			for one := range strings.SplitSeq(value, ";") {
				add(one)
			}
		default:
			add(value)
		}
		isScript := strings.HasPrefix(local, "on") || openingAttributes[name].amp
		if (isScript || e.isAMP() || action && (name == "content" || name == "value")) && len(value) <= script.MaxURL {
			if o.cut = o.cut || len(o.scripts) > maxElementScripts; !o.cut {
				if e.isAMP() && strings.HasPrefix(value, "//") {
					value = "https:" + value
				}
				o.scripts += value + " "
			}
		}
	})
	if e.known == atom.Meta && ascii.EqualFold(trim(e.attr("http-equiv")), "refresh") {
		add(refreshTarget(e.attr("content")))
	}
	o.silent = e.known == atom.Link || e.known == atom.Param
	if len(o.references) > 0 || e.isClicked() {
		o.references = append(o.references, scriptURLs(o.scripts)...)
	}
	if (e.known == atom.A || e.known == atom.Area) && e.has("href") && trim(e.attr("href")) == "" {
		o.references = append(o.references, "") // the base
	}
	return o
}

// An openingAttribute is an attribute that may say what its element opens.
type openingAttribute struct {
	on     func(element string) bool                 // whether an element may open it; nil: any element
	refers func(e *element, name, value string) bool // whether the value is a reference; nil: it is read as a script or document
	isList bool                                      // the value is a list of references
	amp    bool                                      // only AMP programs open it
}

// openingAttributes are the attributes that may say what an element opens, by their local names. Those
// that begin with "on" hold scripts and are not in it; AMP elements may open all their attributes.
var openingAttributes = map[string]openingAttribute{
	"href":       {refers: opensByHref},
	"dest":       {refers: opensByHref}, // WordprocessingML
	"action":     {refers: opensByForm},
	"formaction": {refers: opensByButton},
	"src":        {on: isFrame, refers: opensFrame},
	"data":       {on: isObject, refers: opensObject},
	"value":      {on: holdsValue, refers: opensParameter},
	"to":         {on: isAnimation, refers: animatesHref},
	"from":       {on: isAnimation, refers: animatesHref},
	"by":         {on: isAnimation, refers: animatesHref},
	"values":     {on: isAnimation, refers: animatesHref, isList: true},

	"content": {},
	"srcdoc":  {},

	"action-xhr":         {refers: opensByForm, amp: true},
	"verify-xhr":         {amp: true},
	"[href]":             {amp: true},
	"data-amp-bind-href": {amp: true},
}

// MayOpen reports whether an attribute may say what its element opens. Other attributes are not read,
// and stay when a link is removed. Both names are in lower case; the attribute's may have a prefix.
func MayOpen(element, attribute string) bool {
	if strings.HasPrefix(element, "amp-") {
		return true
	}
	local := attribute[strings.LastIndexByte(attribute, ':')+1:]
	a, ok := openingAttributes[local]
	return ok && (a.on == nil || a.on(element)) || ascii.HasPrefixFold(local, "on")
}

// opensByHref reports whether the href of an element opens something. In HTML only four elements have
// an href; with a prefix, Outlook or an SVG program may read it.
func opensByHref(e *element, name, _ string) bool {
	return e.isForeign() || strings.Contains(e.node.Data, ":") || strings.Contains(name, ":") ||
		e.known == atom.A || e.known == atom.Area || e.known == atom.Base || e.known == atom.Link
}

func opensByForm(e *element, _, _ string) bool { return e.name == "form" || e.name == "isindex" }

// opensByButton is true for buttons in SVG, too: programs differ in where SVG ends.
func opensByButton(e *element, _, _ string) bool { return e.name == "button" || e.name == "input" }

// isFrame reports whether an element shows the document that its src names.
func isFrame(element string) bool {
	return slices.Contains([]string{"iframe", "frame", "embed", "fencedframe", "portal", "layer", "ilayer"}, element)
}

func opensFrame(e *element, _, _ string) bool { return isFrame(e.name) }

func isObject(element string) bool { return element == "object" }

func opensObject(e *element, _, _ string) bool { return isObject(e.name) }

// holdsValue reports whether the value of an element may be a URL. In data and meta it may be that of
// an action for mail programs.
func holdsValue(element string) bool {
	return element == "data" || element == "meta" || element == "param"
}

func opensParameter(e *element, _, value string) bool {
	return e.known == atom.Param && strings.Contains(value, "//")
}

// isAnimation reports whether an element of SVG animates its parent.
func isAnimation(element string) bool {
	return element == "set" || strings.HasPrefix(element, "animate")
}

// isAnimation reports whether an element animates its parent.
func (e *element) isAnimation() bool { return e.known == 0 && isAnimation(e.name) }

// animatesHref reports whether an element animates the href of its parent.
func animatesHref(e *element, _, _ string) bool {
	target := ""
	e.attributes(func(_, local, value string) {
		if local == "attributename" {
			target = value
		}
	})
	return e.isAnimation() && localName(trim(target)) == "href"
}

// isProperty reports whether an element describes an action to mail programs (schema.org).
func (e *element) isProperty() bool { return e.has("itemprop") }

// isClicked reports whether a click on an element runs a script. A handler of the whole page does not
// make it a button.
func (e *element) isClicked() (clicked bool) {
	if e.known == atom.Body || e.known == atom.Html {
		return false
	}
	e.attributes(func(_, local, _ string) {
		switch local {
		case "on", "onclick", "ondblclick", "onauxclick", "onmousedown", "onmouseup", "ontouchstart", "ontouchend", "onpointerdown", "onpointerup":
			clicked = true
		}
	})
	return clicked
}

// labels returns the texts that programs show in addition to an element's text or instead of it.
func (e *element) labels() (texts []string) {
	e.attributes(func(name, local, value string) {
		switch {
		case local == "title", local == "alt", local == "label" && e.known != atom.Track, local == "summary", local == "standby",
			strings.HasPrefix(name, "aria-") && (strings.HasSuffix(name, "label") || strings.HasSuffix(name, "description") || name == "aria-valuetext" || name == "aria-placeholder"),
			name == "[text]", name == "data-amp-bind-text", name == "alttext":
			texts = append(texts, value)
		}
	})
	return texts
}

// refreshTarget returns the URL in the content of <meta http-equiv=refresh>, or "" (HTML §4.2.5.3,
// shared declarative refresh steps).
func refreshTarget(content string) string {
	rest := strings.TrimLeft(trim(content), "0123456789.")
	rest = strings.TrimLeft(rest, blanks+";,")
	if ascii.HasPrefixFold(rest, "url") {
		if after, ok := strings.CutPrefix(trim(rest[len("url"):]), "="); ok {
			rest = trim(after)
		}
	}
	if rest == "" || rest[0] != '"' && rest[0] != '\'' {
		return rest
	}
	url, _, _ := strings.Cut(rest[1:], rest[:1])
	return url
}
