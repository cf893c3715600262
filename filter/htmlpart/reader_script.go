package htmlpart

import "strings"

// maxScriptURLs is the number of URLs in scripts that are read.
const maxScriptURLs = 1 << 10

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
	texts, whole := scriptTexts(source)
	urls := urlsIn(texts, maxScriptURLs-r.scripted)
	r.scripted += len(urls)
	for _, url := range urls {
		r.send(&Item{Element: "script", URL: url, Hidden: true, Start: at.start, End: at.end})
	}
	if r.scripted == maxScriptURLs || !whole {
		r.partial = true
	}
	if r.frames > 1 {
		return // a script that writes scripts
	}
	if i := strings.LastIndexByte(r.source[:at.start], '<'); i >= 0 && r.source[at.start] != '<' {
		at = place{i, at.start} // the tag of the script
	}
	for _, document := range documentsIn(texts) {
		r.readFrame("iframe", &attributes{srcdoc: document}, at)
	}
}
