package htmlpart

import (
	"iter"
	"strings"
	"sync"

	"github.com/linkmilter/linkmilter/internal/recent"
)

const (
	// maxSheets is the number of sources whose style sheets are remembered.
	maxSheets = 64
	// maxSheet is the length in bytes of the style sheets of one.
	maxSheet = 64 << 10
	// maxStyleTag is the number of bytes of a start tag in which a value may have a ">".
	maxStyleTag = 1 << 10
	// maxNames is the number of names that they keep.
	maxNames = 1 << 10
)

// sheets remembers style sheets by their texts: newsletters have the same from message to message.
var sheets = sync.OnceValue(func() *recent.Table[sheet] { return recent.NewTable[sheet](maxSheets) })

const (
	styleTag    = "<style"
	styleEndTag = "</style"
)

// sheetOf reads the style sheets in a source, wherever a style element may be, and those that it
// names. It returns nil for none.
func (r *reader) sheetOf(source string) *sheet {
	s, mayHideAll := r.linkedSheet()
	var all []string
	size := 0
	for css := range r.styleTexts(source) {
		all = append(all, css)
		if size += len(css) + len(styleEndTag); size > maxSheet {
			break
		}
	}
	switch {
	case s == nil && !mayHideAll && len(all) == 0:
		return nil
	case s == nil && 0 < size && size <= maxSheet:
		s = r.rememberedSheet(all)
	default:
		if s == nil {
			read := newSheet()
			s = &read
		}
		for css := range r.styleTexts(source) {
			r.readSheet(s, css)
		}
	}
	if !mayHideAll {
		return s
	}
	changed := *s
	changed.all = true
	return &changed
}

// rememberedSheet returns the sheet with the texts of style elements. Only [sheet.borrow] may change
// it.
func (r *reader) rememberedSheet(css []string) *sheet {
	all := strings.Join(css, styleEndTag) // which is in none of them
	if s := sheets().Get(all); s != nil {
		return s
	}
	all = strings.Clone(all) // names are slices of it
	s, same := newSheet(), true
	for css := range strings.SplitSeq(all, styleEndTag) {
		same = r.readSheet(&s, css) && same
	}
	if same && r.err == nil && !s.borrows && s.names() <= maxNames {
		sheets().Put(all, s)
	}
	return &s
}

// names returns the number of names that a sheet keeps. A nil sheet keeps none.
func (s *sheet) names() int {
	if s == nil {
		return 0
	}
	n := len(s.classes) + len(s.ids) + len(s.attributes) + len(s.elements)
	for _, part := range s.parts() {
		n += part.names()
	}
	for i := range s.quoting {
		n += s.quoting[i].at.names()
	}
	for i := range s.customs {
		n += s.customs[i].at.names()
	}
	for _, texts := range [...][]generatedAt{s.texts, s.signs} {
		for i := range texts {
			n += texts[i].at.names()
		}
	}
	return n
}

// styleTexts yields the contents of the style elements of a source. Some programs end a tag at its
// first ">", also in a value.
func (r *reader) styleTexts(source string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for {
			i := r.indexFold(source, styleTag)
			if i < 0 {
				return
			}
			source = source[i+len(styleTag):]
			start, _, _ := tagEnd(source[:min(len(source), maxStyleTag)], 0)
			if first := strings.IndexByte(source[:start], '>'); first >= 0 && first < start-1 && !yield(r.beforeStyleEnd(source[start:])) {
				return
			}
			css := r.beforeStyleEnd(source)
			source = source[len(css):]
			if _, css, _ = strings.Cut(css, ">"); !yield(css) {
				return
			}
		}
	}
}

// beforeStyleEnd returns a source up to the end tag of a style element.
func (r *reader) beforeStyleEnd(source string) string {
	if end := r.indexFold(source, styleEndTag); end >= 0 {
		return source[:end]
	}
	return source
}

// linkedSheet returns a sheet with the style sheets that the source names and that are in their URLs, nil for
// none, and whether it names others, which may hide anything.
func (r *reader) linkedSheet() (s *sheet, mayHideAll bool) {
	mayHideAll = r.indexFold(r.source, "<?xml-stylesheet") >= 0
	for a := range r.tagsOf("link") {
		if !strings.Contains(strings.ToLower(a.rel), "stylesheet") || isOfFonts(a.href) {
			continue
		}
		if content, _ := dataContent(a.href, "text/css"); content == "" {
			mayHideAll = true
			continue
		}
		if s == nil {
			read := newSheet()
			s = &read
		}
		r.readDataSheet(s, a.href, 0)
	}
	return s, mayHideAll
}
