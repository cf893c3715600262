package htmlpart

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/percent"
)

const (
	// maxAhead is the number of tags of an element that are read ahead, and maxAheadTag
	// their length in bytes.
	maxAhead    = 256
	maxAheadTag = 16 << 10
)

// tagsOf iterates over the attributes of the start tags of an element, with any prefix,
// wherever they are in the source: also in comments and other texts.
func (r *reader) tagsOf(name string) iter.Seq[*attributes] {
	return func(yield func(*attributes) bool) {
		tags := 0
		for _, tag := range [...]string{"<" + name, ":" + name} {
			for at := 0; ; {
				i := r.indexFold(r.source[at:], tag)
				if i < 0 {
					break
				}
				at += i + len(tag)
				if at == len(r.source) || strings.IndexByte(" \t\r\n\f/", r.source[at]) < 0 {
					continue
				}
				if tags++; tags > maxAhead {
					r.partial = true
					break
				}
				source := r.source[at-len(tag) : min(len(r.source), at+maxAheadTag)]
				if tag[0] == ':' {
					source = "<" + source[1:]
				}
				if !yield(r.attributesOf(source)) {
					return
				}
			}
		}
	}
}

// attributesOf returns the attributes of the tag at the start of a source.
func (r *reader) attributesOf(source string) *attributes {
	var a attributes
	t := r.newTokens(source, 0)
	if kind, _ := t.next(); kind == html.StartTagToken || kind == html.SelfClosingTagToken {
		t.each(a.set)
	}
	return &a
}

// readAhead notes what elements say about others, which may be before them: the forms
// that buttons name by their id, and the animations of elements by theirs.
func (r *reader) readAhead() {
	r.buttons = r.indexFold(r.source, "<button") >= 0 || r.indexFold(r.source, "<input") >= 0
	if r.buttons || r.indexFold(r.source, submitting) >= 0 {
		for a := range r.tagsOf("form") {
			urls := r.resolve(nil, a.action)
			r.nameForm(a, urls, place{0, len(r.source)})
			if len(r.actions) < maxSameID {
				r.actions = append(r.actions, urls...)
			}
		}
		if r.buttons && r.indexFold(r.source, "<label") >= 0 {
			r.nameSenders(r.actions)
		}
	}
	for _, name := range [...]string{"set", "animate"} {
		for a := range r.tagsOf(name) {
			if id, ok := strings.CutPrefix(trim(a.href), "#"); ok && id != "" && len(r.animated) < maxForms {
				a.href = ""
				r.animate(id, a, name)
				if decoded := percent.Decode(id); decoded != id {
					r.animate(decoded, a, name)
				}
			}
		}
	}
}

// nameSenders notes the buttons that labels may name, and what they may open: one of the
// actions.
func (r *reader) nameSenders(actions []string) {
	r.senders = make(map[string][]string)
	for _, tag := range [...]atom.Atom{atom.Button, atom.Input} {
		for a := range r.tagsOf(tag.String()) {
			if a.id == "" || !a.submits(tag) || len(r.senders) == maxForms {
				continue
			}
			urls := actions
			if a.formaction != "" {
				urls = r.resolve(nil, a.formaction)
			}
			r.senders[strings.Clone(a.id)] = urls
		}
	}
}

// animate notes what an animation makes the element with an id open.
func (r *reader) animate(id string, a *attributes, name string) {
	if r.animated == nil {
		r.animated = make(map[string][]string)
	}
	references, _ := r.targets(nil, name, a)
	for _, reference := range references {
		r.animated[id] = r.resolve(slices.Clip(r.animated[id]), reference)
	}
}

// labelArea gives an area the texts of the pictures that are maps: programs show these in place
// of the pictures, and the title of one without a text.
func (r *reader) labelArea(l *openLink) {
	if !r.mapped {
		r.mapped = true
		for a := range r.tagsOf("img") {
			if text := cmp.Or(a.alt, a.title); a.usemap && text != "" {
				if len(r.pictures) == maxLabels {
					r.partial = true
					break
				}
				r.pictures = append(r.pictures, strings.Clone(text))
			}
		}
	}
	for _, text := range r.pictures {
		l.item.addLabel(text)
	}
}

// maxForms is the number of forms and of animated elements whose id is known.
const maxForms = 256

// maxSameID is the number of URLs of forms with the same id.
const maxSameID = 8

// nameForm notes a form with an id, beside others with the same.
func (r *reader) nameForm(a *attributes, urls []string, at place) {
	known, ok := r.forms[a.id]
	if a.id == "" || !ok && len(r.forms) >= maxForms {
		return
	}
	if r.forms == nil {
		r.forms = make(map[string]form)
	}
	known.at = at
	for _, url := range urls {
		if !slices.Contains(known.urls, url) && len(known.urls) < maxSameID {
			known.urls = append(slices.Clip(known.urls), url)
		}
	}
	r.forms[strings.Clone(a.id)] = known
}
