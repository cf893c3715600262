package engine

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/scheme"
)

// isOther reports whether the link has a scheme of Options.Schemes that is not special
// in the WHATWG URL standard, so that its host may be anything.
func (l Link) isOther() bool {
	name := strings.ToLower(l.scheme())
	return l.Kind == KindURL && name != "" && !scheme.IsWeb(name)
}

// otherHref is Href for the link of another scheme. A host stays a name that only the
// program for the scheme understands.
func (l Link) otherHref() string {
	dst := append([]byte(nil), strings.ToLower(l.scheme())...)
	dst = append(dst, ':')
	path, query, fragment := cutParts(l.Text[l.bounds.portEnd:])
	switch {
	case strings.HasSuffix(l.Text[:l.bounds.schemeEnd], "//"):
		dst = appendUserinfo(append(dst, "//"...), l.userinfo())
		dst = c0Set.append(dst, l.host())
		if port := l.Text[l.bounds.hostEnd:l.bounds.portEnd]; port != ":" {
			dst = append(dst, port...)
		}
		dst = encodeSets[partPath].append(dst, path)
	default:
		dst = c0Set.append(dst, path)
	}
	if query != "" {
		dst = append(dst, '?')
		dst = otherQuerySet.append(dst, query[1:])
	}
	if fragment != "" {
		dst = append(dst, '#')
		dst = encodeSets[partFragment].append(dst, fragment[1:])
	}
	return string(dst)
}
