package page

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/script"
)

// isRun reports whether browsers run a script of this media type. Other scripts are data.
func isRun(mediaType string) bool {
	mediaType = strings.ToLower(trim(mediaType))
	return mediaType == "" || mediaType == "module" || strings.Contains(mediaType, "javascript") || strings.Contains(mediaType, "ecmascript") || strings.Contains(mediaType, "vbscript")
}

// scriptURLs returns the URLs in the scripts of an element.
func scriptURLs(source string) []string {
	if source == "" {
		return nil
	}
	texts, _ := script.Texts(source)
	return script.URLs(texts)
}

// runs sends an item for a script element if browsers run it, because the script may open any URL.
// If its source is a data URL, runs reads that script.
func (r *reader) runs(e *element, at span) {
	if !isRun(e.attr("type")) {
		return
	}
	r.send(&Item{Element: "script", Hidden: true, Start: at.start, End: at.end})
	if code, _ := dataContent(e.attr("src"), "", "text/plain", "text/javascript", "application/javascript"); code != "" {
		r.script(code, at)
	}
}

// script reads the URLs in a script at a place. Browsers that open an attachment run its scripts, and
// mail programs read JSON about the message. HTML in strings of the script is read as a document.
func (r *reader) script(source string, at span) {
	if source == "" || r.scripted == script.MaxURLs {
		return // the reading counts as partial
	}
	texts, whole := script.Texts(source)
	urls := script.URLs(texts)
	urls = urls[:min(len(urls), script.MaxURLs-r.scripted)]
	r.scripted += len(urls)
	for _, url := range urls {
		r.send(&Item{Element: "script", URLs: []string{url}, Hidden: true, Start: at.start, End: at.end})
	}
	r.partial = r.partial || r.scripted == script.MaxURLs || !whole
	if r.depth > 1 {
		return // a script within written documents is not read for documents
	}
	for _, document := range script.Documents(texts) {
		r.readDocument(document, at)
	}
}
