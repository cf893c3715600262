package htmlpart

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/scheme"
)

const (
	// maxBase is the number of bytes of a base's path that are used: each relative
	// reference repeats them. The host of a longer base still counts.
	maxBase = 4 << 10
	// maxBases is the number of different bases that are used.
	maxBases = 8
)

// findBases returns the URLs of all base elements, in order. Browsers use the first
// that is in the tree and has an href, and ignore that if it is not a URL of the web
// (HTML §4.2.3). Other programs use others.
func (r *reader) findBases() (bases []string) {
	bases = r.outer
	for a := range r.tagsOf("base") {
		base := cleanBase(a.href)
		switch {
		case base == "" || slices.Contains(bases, base):
		case len(bases) == maxBases:
			r.partial = true
		default:
			bases = append(slices.Clip(bases), base)
		}
	}
	return bases
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
