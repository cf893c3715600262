package htmlpart

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// lookOf returns the look of an element with a style in an element with look l. serial
// is a number of its own.
func (r *reader) lookOf(l look, tag atom.Atom, name string, a *attributes, s style, serial int) look {
	inline := !splits(tag) && !s.splits
	gone := s.gone || s.flat && s.clipped && !inline
	hiddenByTag := tag == atom.Template || tag == atom.Rp || tag == atom.Datalist
	if (a.hidden || hiddenByTag) && !s.displayed || tag == atom.Template {
		gone = true
	}
	l.gone = l.gone || gone
	l.tiny = s.font.over(l.tiny)
	l.invisible = s.visibility.over(l.invisible)
	l.setOff = s.splits
	if strings.EqualFold(a.dir, "rtl") && (tag == atom.Bdo || s.override) || s.override && s.rightToLeft {
		l.turned = true
	}
	if a.background != "" {
		s.background = a.background
	}
	if s.background != "" {
		l.background = s.background
	}
	if a.color != "" {
		s.color = a.color
	}
	if gone || s.doubt || a.hidden || mayHide(tag) || mayMatch(s.color, l.background) || r.sheet.mayHide(name, a) {
		l.doubt = serial
	}
	return l
}

const (
	// maxStyles is the number of style attributes whose style is known.
	maxStyles = 256
	// maxStyle is their length in bytes.
	maxStyle = 512
)

// styleOf returns the style of a style attribute. Mail repeats a few.
func (r *reader) styleOf(declarations string) style {
	if declarations == "" {
		return style{}
	}
	s, ok := r.styles[declarations]
	if ok {
		return s
	}
	s = styleOf(declarations)
	if len(declarations) <= maxStyle && len(r.styles) < maxStyles {
		if r.styles == nil {
			r.styles = make(map[string]style)
		}
		r.styles[declarations] = s
	}
	return s
}

// sheetOf reads the style sheets in a source, wherever a style element may be.
func (r *reader) sheetOf(source string) *sheet {
	const tag = "<style"
	var s *sheet
	for rest := source; ; {
		i := r.indexFold(rest, tag)
		if i < 0 {
			return s
		}
		rest = rest[i+len(tag):]
		end := r.indexFold(rest, "</style")
		if end < 0 {
			end = len(rest)
		}
		_, css, _ := strings.Cut(rest[:end], ">")
		if s == nil {
			all := newSheet()
			s = &all
		}
		s.read(plainCSS(css))
		rest = rest[end:]
	}
}
