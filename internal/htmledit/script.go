package htmledit

import (
	"iter"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Scripts yields the scripts of a source as a tokenizer reads them: the content of script elements, and
// the values of attributes whose names begin with "on".
func Scripts(source string) iter.Seq[string] {
	return func(yield func(string) bool) {
		z := html.NewTokenizer(strings.NewReader(source))
		script := false // the last token was the start tag of a script
		for {
			kind := z.Next()
			switch {
			case kind == html.ErrorToken:
				return
			case script && kind == html.TextToken && !yield(string(z.Raw())):
				return
			}
			if script = false; kind != html.StartTagToken && kind != html.SelfClosingTagToken {
				continue
			}
			name, more := z.TagName()
			script = atom.Lookup(name) == atom.Script
			for more {
				var key, value []byte
				if key, value, more = z.TagAttr(); strings.HasPrefix(string(key), "on") && !yield(string(value)) {
					return
				}
			}
		}
	}
}
