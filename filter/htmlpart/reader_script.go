package htmlpart

// maxScriptURLs is the number of URLs in scripts that are read.
const maxScriptURLs = 1 << 10

// script reads the URLs in a script at a place. Web browsers that open an attachment
// run it, and mail programs read JSON about the message.
func (r *reader) script(script string, at place) {
	if script == "" || r.spend(len(script)) != nil {
		return
	}
	urls := scriptURLs(script, maxScriptURLs-r.scripted)
	r.scripted += len(urls)
	for _, url := range urls {
		r.send(&Item{Element: "script", URL: url, Hidden: true, Start: at.start, End: at.end})
	}
	if r.scripted == maxScriptURLs {
		r.partial = true
	}
}
