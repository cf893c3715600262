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
	r.bases = nil
	r.addBases(slices.Values(r.outer))
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
	for base := range bases {
		base = cleanBase(base)
		switch {
		case base == "" || slices.Contains(r.bases, base):
		case len(r.bases) == maxBases:
			r.partial = true
		default:
			r.bases = append(slices.Clip(r.bases), base)
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

// cleanBase returns the used part of a base: absolute, without query and fragment, and
// with two slashes before its host; "" for a base that is not a URL of the web.
func cleanBase(base string) string {
	base = clean(base)
	name, rest := scheme.Name(base)
	switch {
	case scheme.IsWeb(name):
		base = base[:len(name)] + "://" + strings.TrimLeft(rest, `/\`)
	case startsAuthority(base):
		base = "https://" + strings.TrimLeft(base, `/\`)
	default:
		return ""
	}
	end := authorityOf(base)
	if end == 0 {
		return ""
	}
	if i := strings.IndexAny(base[end:], "?#"); i >= 0 {
		base = base[:end+i]
	}
	if len(base)-end > maxBase {
		base = base[:end]
	}
	return base
}
