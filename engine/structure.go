package engine

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/percent"
)

// A Structure is a URL as data: path segments, keys and values are plain text, with
// nothing escaped. Its method Minimal makes the URL. Use Format for a URL that is a string.
type Structure struct {
	// Origin is the text before the path, ready to be shown, such as
	// "https://example.com:8443".
	Origin string
	// Path has the segments; nil means no path, one empty segment is "/".
	Path []string
	// Query has the parameters in order; nil means no query.
	Query []Parameter
	// Fragment is the fragment without directives; "" means none.
	Fragment string
	// Directives are the fragment directives, such as "text=open,closed". Structure
	// does not know their syntax, so they come with the escapes they need.
	Directives []string
}

// A Parameter is a key of a query with its value.
type Parameter struct {
	Key string // plain text
	// Value is ignored if KeyOnly is set.
	Value string
	// KeyOnly means a key without "=" and value.
	KeyOnly bool
}

// Minimal returns the URL with the fewest percent-escapes that let detection in strict mode
// find it whole between two spaces (UTS #58 §4.1).
func (s Structure) Minimal() string {
	var list []partText
	if s.Path != nil {
		var text []byte
		for i, segment := range s.Path {
			if i > 0 {
				text = append(text, '/')
			}
			// In URLs of the web a backslash separates segments, too.
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

// appendInterior appends data with the interior escaping of UTS #58 §4.1: it
// percent-escapes the syntax characters of the part, and a percent sign before two
// hexadecimal digits.
func appendInterior(dst []byte, data, syntax string) []byte {
	for i := range len(data) {
		_, isEscape := percent.Byte(data[i:])
		if isEscape || strings.IndexByte(syntax, data[i]) >= 0 {
			dst = percent.Append(dst, data[i:i+1])
		} else {
			dst = append(dst, data[i])
		}
	}
	return dst
}
