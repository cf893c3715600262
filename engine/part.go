package engine

import "strings"

// A part is one of the URL Parts of UTS #58 table 3-3, in the order of a URL.
type part uint8

const (
	partNone part = iota // before the first part
	partPath
	partQuery
	partFragment
	partDirective // a fragment directive
)

// directiveMark begins a fragment directive.
const directiveMark = ":~:"

// clears reports whether r separates items within the part, so that brackets do not
// pair across it: the ClearStackOpen set of UTS #58 table 3-3.
func (p part) clears(r rune) bool {
	switch p {
	case partPath:
		return r == '/'
	case partQuery:
		return r == '=' || r == '&'
	case partDirective:
		return r == '&' || r == ','
	}
	return false
}

// A partText is the text of a part of a URL, without its initiator.
type partText struct {
	part      part
	initiator string // "/", "\", "?", "#" or ":~:"
	text      string
}

// cutParts divides the text behind the host and port of a URL. Each part begins with
// its initiator; a part that is absent is "". The fragment includes its directives.
func cutParts(rest string) (path, query, fragment string) {
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		rest, fragment = rest[:i], rest[i:]
	}
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		rest, query = rest[:i], rest[i:]
	}
	return rest, query, fragment
}

// listParts lists the parts that cutParts returns, as many as are present. Each
// fragment directive is a part.
func listParts(path, query, fragment string) []partText {
	list := make([]partText, 0, 3)
	if path != "" {
		list = append(list, partText{part: partPath, initiator: path[:1], text: path[1:]})
	}
	if query != "" {
		list = append(list, partText{part: partQuery, initiator: "?", text: query[1:]})
	}
	if fragment != "" {
		p := partText{part: partFragment, initiator: "#"}
		for text := fragment[1:]; ; {
			head, tail, more := strings.Cut(text, directiveMark)
			p.text = head
			list = append(list, p)
			if !more {
				break
			}
			p, text = partText{part: partDirective, initiator: directiveMark}, tail
		}
	}
	return list
}
