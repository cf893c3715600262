package page

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/scheme"
	"github.com/linkmilter/linkmilter/internal/script"
)

const (
	// maxDecoded is the number of bytes of a script whose strings are decoded.
	maxDecoded = 256 << 10
	// maxScriptURLs is the number of URLs in scripts that are read.
	maxScriptURLs = 1 << 10
)

// scriptReading is what a script or JSON holds. It reads no variables.
type scriptReading struct {
	source string
	texts  []string // as written, without escapes, and with the texts that it puts together
	urls   []string // URLs of the web in the texts
	whole  bool     // it may have no other texts

	actions []action
}

// readScript reads a script.
func readScript(source string) *scriptReading {
	s := &scriptReading{source: source, texts: []string{source}, whole: true}
	plain := script.Unescape(source)
	if plain != source {
		s.texts = append(s.texts, plain) // escapes may be in "http", too
	}
	if len(source) > maxDecoded {
		s.whole = !script.Decodes(source)
	} else {
		s.texts = append(s.texts, script.Hidden(plain)...)
		s.actions = actionsIn(source)
	}
	for _, text := range s.texts {
		s.urls = plainURLs(s.urls, text, maxScriptURLs)
	}
	return s
}

// documentsIn returns the readings of a script that hold HTML with references.
func documentsIn(texts []string) (documents []string) {
	for _, text := range texts {
		if !strings.Contains(text, "<") {
			continue
		}
		if lower := strings.ToLower(text); strings.Contains(lower, "href") || strings.Contains(lower, "action=") {
			documents = append(documents, text)
		}
	}
	return documents
}

// plainURLs appends the URLs in a script whose scheme has no escapes, up to most.
func plainURLs(urls []string, source string, most int) []string {
	for len(urls) < most {
		i := indexHTTP(source)
		if i < 0 {
			return urls
		}
		source = source[i:]
		end := strings.IndexAny(source, "\"'`<> \t\r\n")
		if end < 0 {
			end = len(source)
		}
		url := strings.TrimRight(script.Unescape(source[:min(end, maxScriptURL)]), `\`)
		source = source[end:]
		if name, rest := scheme.Name(url); scheme.IsWeb(name) && strings.Trim(rest, `/\`) != "" && !slices.Contains(urls, url) {
			urls = append(urls, url)
		}
	}
	return urls
}

// maxScriptURL is the number of bytes of a URL in a script that are read.
const maxScriptURL = 4 << 10

// indexHTTP returns the index of "http" in any case, or -1.
func indexHTTP(s string) int {
	for at := 0; ; at++ {
		i := strings.IndexAny(s[at:], "hH")
		if i < 0 {
			return -1
		}
		if at += i; ascii.HasPrefixFold(s[at:], "http") {
			return at
		}
	}
}

// isRun reports whether browsers run a script of a media type. Others are data.
func isRun(mediaType string) bool {
	mediaType = strings.ToLower(trim(mediaType))
	return mediaType == "" || mediaType == "module" || strings.Contains(mediaType, "javascript") || strings.Contains(mediaType, "ecmascript") || strings.Contains(mediaType, "vbscript")
}

// scriptURLs returns the URLs in the scripts of an element.
func scriptURLs(source string) []string {
	if source == "" {
		return nil
	}
	return readScript(source).urls
}

// runs reads a script element, and sends it if a browser runs it: it may open any URL.
func (r *reader) runs(e *element, at span) {
	if !isRun(e.attr("type")) {
		return
	}
	r.send(&Item{Element: "script", Hidden: true, Start: at.start, End: at.end})
	if code, _ := dataContent(e.attr("src"), "", "text/plain", "text/javascript", "application/javascript"); code != "" {
		r.script(code, at)
	}
}

// script reads the URLs in a script at a place. Web browsers that open an attachment run it, and mail
// programs read JSON about the message. HTML in its strings is a document.
func (r *reader) script(source string, at span) {
	if source == "" || r.scripted == maxScriptURLs {
		return // beyond the bound the reading is partial
	}
	s := readScript(source)
	urls := s.urls[:min(len(s.urls), maxScriptURLs-r.scripted)]
	r.scripted += len(urls)
	for _, url := range urls {
		r.send(&Item{Element: "script", URLs: []string{url}, Hidden: true, Start: at.start, End: at.end})
	}
	for _, a := range s.actions {
		for _, url := range a.urls {
			r.send(&Item{Element: "script", URLs: []string{url}, Labels: []string{a.name}, Hidden: true, Again: true, Start: at.start, End: at.end})
		}
	}
	r.partial = r.partial || r.scripted == maxScriptURLs || !s.whole
	if r.depth > 1 {
		return // a script that writes scripts
	}
	for _, document := range documentsIn(s.texts) {
		r.readDocument(document, at)
	}
}
