package engine

import (
	"strings"
	"sync"
)

// displayHost returns the link's host in the form wanted. It returns the host as
// typed if detection would not find it whole in that form: detection accepts symbols
// in hosts less readily if they are not A-labels.
func (l Link) displayHost(form HostForm) string {
	ascii := l.ASCIIHost()
	host := displayHost(l.host(), ascii, form)
	if host == l.host() {
		return host
	}
	text := host
	// Which top-level domains there are depends on the scanner that found
	// the link. One that did not change is good for any.
	name := strings.TrimSuffix(host, ".")
	if i := strings.LastIndexByte(name, '.'); isPlainHost(name[i+1:]) {
		text = name[:i+1] + "com"
	}
	if l.Kind == KindEmail {
		text = "a@" + text
	} else {
		text = l.Text[:l.bounds.schemeEnd] + text + "/"
	}
	if !isFoundWhole(text) {
		return displayHost(l.host(), ascii, HostAsTyped)
	}
	return host
}

// isFoundWhole reports whether detection finds the whole text as one link.
func isFoundWhole(text string) bool {
	found := defaultScanner().Append(nil, text)
	return len(found) == 1 && found[0].Text == text
}

// defaultScanner returns a Scanner with the zero Options, which are valid.
var defaultScanner = sync.OnceValue(func() *Scanner {
	s, _ := New(Options{})
	return s
})
