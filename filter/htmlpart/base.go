package htmlpart

import (
	"iter"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/scheme"
)

const (
	// maxBase is the number of bytes of a base's path that are used: each relative
	// reference repeats them. The host of a longer base still counts.
	maxBase = 4 << 10
	// maxBases is the number of different bases that are used.
	maxBases = 8
)

// findBases notes the bases of the source: those around it, the URLs of all base elements,
// in order, and of xml:base. Browsers use the first element that is in the tree and has an
// href, and ignore that if it is not a URL of the web (HTML §4.2.3). Other programs use
// others.
func (r *reader) findBases() {
	r.bases = r.outer
	r.addBases(func(yield func(string) bool) {
		for a := range r.tagsOf("base") {
			if !yield(a.href) {
				return
			}
		}
	})
	r.addBases(r.xmlBases())
}

// addBases adds bases that are not known yet.
func (r *reader) addBases(bases iter.Seq[string]) {
	for written := range bases {
		b := baseOf(written)
		switch {
		case b.url == "" || slices.Contains(r.bases, b):
		case len(r.bases) == maxBases:
			r.partial = true
		default:
			r.bases = append(slices.Clip(r.bases), b)
		}
	}
}

// xmlBases iterates over the values of xml:base (XML Base §3), wherever they are in the
// source.
func (r *reader) xmlBases() iter.Seq[string] {
	return func(yield func(string) bool) {
		const prefix, name = "xml", ":base"
		for at, n := 0, 0; n < maxAhead; n++ {
			i := r.indexFold(r.source[at:], name)
			if i < 0 {
				return
			}
			start := at + i - len(prefix)
			at += i + len(name)
			if start < 0 || !ascii.HasPrefixFold(r.source[start:], prefix) {
				n--
				continue
			}
			if !yield(r.attributesOf("<base " + r.source[start:min(len(r.source), start+maxAheadTag)]).xmlBase) {
				return
			}
		}
		r.partial = true
	}
}

// baseOf returns the used part of a base, or none for one that is not a URL of the web.
func baseOf(written string) base {
	url := clean(written)
	name, rest := scheme.Name(url)
	switch {
	case scheme.IsWeb(name):
		url = url[:len(name)] + "://" + strings.TrimLeft(rest, `/\`)
	case startsAuthority(url):
		name, url = "https", "https://"+strings.TrimLeft(url, `/\`)
	default:
		return base{}
	}
	end := authorityOf(url)
	if end == 0 {
		return base{}
	}
	if i := strings.IndexAny(url[end:], "?#"); i >= 0 {
		url = url[:end+i]
	}
	if len(url)-end > maxBase {
		url = url[:end]
	}
	return base{url, name, end}
}
