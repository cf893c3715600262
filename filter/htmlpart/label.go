package htmlpart

import (
	"slices"

	"golang.org/x/net/html/atom"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// maxLabelled is the number of bytes in labels in which their buttons are looked for.
const maxLabelled = 128 * maxAround

// labelled returns what the button of a label at a place opens: the one that it names, or those
// in it.
func (r *reader) labelled(a *attributes, at place) (urls []string) {
	if a.forID != "" {
		return r.senders[a.forID]
	}
	if !r.buttons || r.counted.inLabels >= maxLabelled {
		r.partial = r.partial || r.buttons
		return nil
	}
	urls, size := r.buttonsIn(r.source[at.end:min(len(r.source), at.end+maxAround)])
	r.counted.inLabels += size
	_ = r.spend(size) // the next token sees its error
	return urls
}

// buttonsIn returns what the buttons of a label open, given what is behind its tag, and how much of that
// was read.
func (r *reader) buttonsIn(source string) (urls []string, size int) {
	for end, depth := 0, 0; ; {
		var start int
		if start, end = nextTag(source, end); start < 0 {
			return urls, len(source)
		}
		if ascii.HasPrefixFold(source[start:], "</label") {
			if depth--; depth < 0 {
				return urls, end
			}
		}
		switch tag := lookup(tagName(source[start+1 : end])); tag {
		case atom.Label:
			depth++
		case atom.Button, atom.Input:
			button := r.attributesOf(source[start:end])
			if !button.submits(tag) || len(urls) >= maxSameID {
				continue
			}
			if button.formaction != "" {
				urls = r.resolve(urls, button.formaction)
			} else {
				urls = append(slices.Clip(urls), r.formOf(tag, button).urls...)
			}
		case atom.Iframe, atom.Noembed, atom.Noframes, atom.Script, atom.Style, atom.Textarea, atom.Title, atom.Xmp:
			i := r.indexFold(source[end:], "</"+tag.String())
			if i < 0 {
				return urls, len(source) // the rest is a text
			}
			end += i
		}
	}
}
