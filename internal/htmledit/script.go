package htmledit

import (
	"iter"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Scripts yields the scripts of a source as a tokenizer reads them: the content of elements
// script, and the values of attributes whose names begin with "on".
func Scripts(source string) iter.Seq[string] {
	return func(yield func(string) bool) {
		w := newRawWalk(source, 0)
		for script := false; w.next(); {
			if script && w.kind == html.TextToken && !yield(source[w.start:w.end]) {
				return
			}
			if script = false; w.kind != html.StartTagToken && w.kind != html.SelfClosingTagToken {
				continue
			}
			token := w.read()
			script = token.DataAtom == atom.Script
			for _, a := range token.Attr {
				if strings.HasPrefix(a.Key, "on") && !yield(a.Val) {
					return
				}
			}
		}
	}
}
