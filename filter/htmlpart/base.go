package htmlpart

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/linkmilter/linkmilter/internal/scheme"
)

const (
	// maxBase is the number of bytes of a base's path that are used: each relative
	// reference repeats them. The host of a longer base still counts.
	maxBase = 4 << 10
	// maxBases is the number of different bases that are used.
	maxBases = 8
	// maxBaseTags is the number of tags of base elements that are read, and maxBaseTag
	// their length in bytes.
	maxBaseTags = 256
	maxBaseTag  = 16 << 10
)

// findBases returns the URLs of all base elements, in order. Browsers use the first
// that is in the tree and has an href, and ignore that if it is not a URL of the web
// (HTML §4.2.3). Other programs use others.
func (r *reader) findBases() (bases []string) {
	bases = r.outer
	tags := 0
	for _, tag := range [...]string{"<base", ":base"} {
		for at := 0; ; {
			i := r.indexFold(r.source[at:], tag)
			if i < 0 {
				break
			}
			at += i + len(tag)
			if at == len(r.source) || strings.IndexByte(" \t\r\n\f/", r.source[at]) < 0 {
				continue
			}
			if tags++; tags > maxBaseTags {
				r.partial = true
				break
			}
			base := cleanBase(r.hrefOf("<base" + r.source[at:min(len(r.source), at+maxBaseTag)]))
			switch {
			case base == "" || slices.Contains(bases, base):
			case len(bases) == maxBases:
				r.partial = true
			default:
				bases = append(slices.Clip(bases), base)
			}
		}
	}
	return bases
}

// hrefOf returns the href of the tag at the start of a source.
func (r *reader) hrefOf(source string) string {
	var a attributes
	z := html.NewTokenizer(strings.NewReader(source))
	if r.spend(len(source)) != nil {
		return ""
	}
	if kind := z.Next(); kind != html.StartTagToken && kind != html.SelfClosingTagToken {
		return ""
	}
	for _, more := z.TagName(); more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		a.set(string(key), string(value))
	}
	return a.href
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
