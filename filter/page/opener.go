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
	silent     bool     // it shows nothing that a reader can click on
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
		switch local {
		case "href", "dest": // dest in WordprocessingML
			if e.opensByHref(name) {
				add(value)
			}
		case "action", "action-xhr":
			if e.name == "form" || e.name == "isindex" {
				add(value)
			}
		case "formaction":
			if e.name == "button" || e.name == "input" { // in SVG, too: programs differ in where SVG ends
				add(value)
			}
		case "src":
			if e.showsDocument() {
				add(value)
			}
		case "data":
			if e.name == "object" {
				add(value)
			}
		case "value":
			if e.known == atom.Param && strings.Contains(value, "//") {
				add(value)
			}
		case "to", "from", "by":
			if e.animatesHref() {
				add(value)
			}
		case "values":
			if e.animatesHref() {
				for one := range strings.SplitSeq(value, ";") {
					add(one)
				}
			}
		}
		isScript := strings.HasPrefix(local, "on") || isAMPReference(name)
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

// opensByHref reports whether the href of an element opens something. In HTML only four elements have
// an href; with a prefix, Outlook or an SVG program may read it.
func (e *element) opensByHref(attribute string) bool {
	switch {
	case e.isForeign() || strings.Contains(e.node.Data, ":") || strings.Contains(attribute, ":"):
		return true
	}
	return e.known == atom.A || e.known == atom.Area || e.known == atom.Base || e.known == atom.Link
}

// MayOpen reports whether an attribute may say what its element opens. Other attributes are not read,
// and stay when a link is removed. Both names are in lower case; the attribute's may have a prefix.
func MayOpen(element, attribute string) bool {
	if strings.HasPrefix(element, "amp-") {
		return true
	}
	switch local := attribute[strings.LastIndexByte(attribute, ':')+1:]; local {
	case "href", "dest", "action", "formaction", "content", "srcdoc", "[href]", "data-amp-bind-href", "action-xhr", "verify-xhr":
		return true
	case "src":
		return slices.Contains(frames, element)
	case "data":
		return element == "object"
	case "value":
		return element == "data" || element == "meta" || element == "param"
	case "to", "from", "by", "values":
		return element == "set" || strings.HasPrefix(element, "animate")
	default:
		return ascii.HasPrefixFold(local, "on")
	}
}

// frames are elements that show the document that their src names.
var frames = []string{"iframe", "frame", "embed", "fencedframe", "portal", "layer", "ilayer"}

// showsDocument reports whether an element shows the document that its src names.
func (e *element) showsDocument() bool { return slices.Contains(frames, e.name) }

// isAnimation reports whether an element animates its parent.
func (e *element) isAnimation() bool {
	return e.known == 0 && (e.name == "set" || strings.HasPrefix(e.name, "animate"))
}

func (e *element) animatesHref() bool {
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

// isAMPReference reports whether only AMP programs open the URL in an attribute.
func isAMPReference(name string) bool {
	switch name {
	case "[href]", "data-amp-bind-href", "action-xhr", "verify-xhr":
		return true
	}
	return false
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
