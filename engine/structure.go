package engine

import "strings"

// A Structure is a URL taken apart into what its parts mean: segments, keys
// and values are the characters they stand for, with nothing escaped. It is
// the input of minimal escaping (UTS #58 §4) where a URL is made from data;
// [Format] is for URLs that are there as strings.
type Structure struct {
	// Origin is what precedes the path, as it is to be shown, such as
	// "https://example.com:8443".
	Origin string
	// Path holds the segments; nil is no path, one empty segment is "/".
	Path []string
	// Query holds the parameters in order; nil is no query.
	Query []Parameter
	// Fragment is the fragment without directives; "" is none.
	Fragment string
	// Directives are the fragment directives, such as "text=open,closed".
	// Their own syntax is not known here, so they hold the escapes they need.
	Directives []string
}

// A Parameter is one key of a query with its value.
type Parameter struct {
	Key string
	// Value is ignored where KeyOnly is set.
	Value string
	// KeyOnly is a key without the "=" that separates it from a value.
	KeyOnly bool
}

// Minimal returns the URL with as few percent-escapes as allow the link to be
// detected whole between two spaces (UTS #58 §4.1).
func (s Structure) Minimal() string {
	var list []partText
	if s.Path != nil {
		var text []byte
		for i, segment := range s.Path {
			if i > 0 {
				text = append(text, '/')
			}
			// A backslash separates segments, too, in the URLs of the web.
			text = appendInterior(text, segment, `?#/\`)
		}
		list = append(list, partText{part: partPath, initiator: "/", text: string(text)})
	}
	if s.Query != nil {
		var text []byte
		for i, p := range s.Query {
			if i > 0 {
				text = append(text, '&')
			}
			text = appendInterior(text, p.Key, "+#=&")
			if !p.KeyOnly {
				text = append(text, '=')
				text = appendInterior(text, p.Value, "+#=&")
			}
		}
		list = append(list, partText{part: partQuery, initiator: "?", text: string(text)})
	}
	if s.Fragment != "" || len(s.Directives) > 0 {
		text := string(appendInterior(nil, s.Fragment, ""))
		text = strings.ReplaceAll(text, directiveMark, "%3A~:")
		list = append(list, partText{part: partFragment, initiator: "#", text: text})
	}
	for _, d := range s.Directives {
		text := strings.ReplaceAll(d, directiveMark, "%3A~:")
		list = append(list, partText{part: partDirective, initiator: directiveMark, text: text})
	}
	out := []byte(s.Origin)
	for i, p := range list {
		out = append(out, p.initiator...)
		out = appendMinimal(out, p.text, p.part, i == len(list)-1)
	}
	return string(out)
}

// appendInterior appends data with the interior escaping of UTS #58 §4.1:
// syntax characters of the part are percent-escaped, and so is a percent sign
// that two hexadecimal digits follow.
func appendInterior(dst []byte, data, syntax string) []byte {
	for i := range len(data) {
		_, isEscape := escapedByte(data[i:])
		if isEscape || strings.IndexByte(syntax, data[i]) >= 0 {
			dst = appendEscaped(dst, data[i:i+1])
		} else {
			dst = append(dst, data[i])
		}
	}
	return dst
}
