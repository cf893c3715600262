package htmlpart

import (
	"slices"
	"strings"
)

// runs reads a script in the URL of an element, and sends the element if a browser runs it: it
// may open any URL.
func (r *reader) runs(a *attributes, at place) {
	if !isRun(a.typ) {
		return
	}
	r.send(&Item{Element: "script", Hidden: true, Start: at.start, End: at.end})
	if code, _ := dataContent(a.src, "", "text/plain", "text/javascript", "application/javascript"); code != "" {
		r.script(code, at)
	}
}

// script reads the URLs in a script at a place. Web browsers that open an attachment
// run it, and mail programs read JSON about the message. HTML in its strings is a document.
func (r *reader) script(source string, at place) {
	if source == "" || r.scripted == maxScriptURLs || r.spend(len(source)) != nil {
		return // beyond the bound the reading is partial
	}
	s := r.readingOf(source)
	urls := s.urls[:min(len(s.urls), maxScriptURLs-r.scripted)]
	r.scripted += len(urls)
	for _, url := range urls {
		r.send(&Item{Element: "script", URL: url, Hidden: true, Start: at.start, End: at.end})
	}
	for _, a := range s.actions {
		for _, url := range a.urls {
			r.send(&Item{Element: "script", URL: url, Labels: []string{a.name}, Hidden: true, Again: true, Start: at.start, End: at.end})
		}
	}
	if r.scripted == maxScriptURLs || !s.whole {
		r.partial = true
	}
	if r.frames > 1 {
		return // a script that writes scripts
	}
	if i := strings.LastIndexByte(r.source[:at.start], '<'); i >= 0 && r.source[at.start] != '<' {
		at = place{i, at.start} // the tag of the script
	}
	for _, document := range documentsIn(s.texts) {
		r.readFrame("iframe", &attributes{srcdoc: document}, at)
	}
}

// readingOf returns the reading of a script. An element may open its URLs, and be in a tree, too.
func (r *reader) readingOf(source string) *scriptReading {
	if r.lastScript == nil || r.lastScript.source != source {
		r.lastScript = readScript(source)
	}
	return r.lastScript
}

// scriptURLs returns the first URLs of a script that runs when a reader clicks on its element, and what the
// forms open if it sends one.
func (r *reader) scriptURLs(source string) []string {
	const most = 4
	if source == "" {
		return nil
	}
	urls := r.readingOf(source).urls
	urls = urls[:min(len(urls), most)]
	if strings.Contains(source, submitting) {
		urls = slices.Concat(urls, r.actions)
	}
	return urls
}
