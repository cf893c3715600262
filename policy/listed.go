package policy

import (
	"slices"

	"github.com/linkmilter/linkmilter/engine"
)

// Lists looks up links in lists of hosts and URLs that others publish.
type Lists interface {
	// Find returns the lines that have a link. It does not wait for network or disk. Several
	// goroutines may call it at once.
	Find(link engine.Link) []Listed
	// Of returns the lists for the messages of a rule.
	Of(rule string) Lists
	// ByRule reports whether Of returns other lists for some rules.
	ByRule() bool
}

// A Listed is a line of a list that has a link.
type Listed struct {
	List     string   // name of the list
	Line     int      // line number, from 1
	Label    string   // what the line says: a host, or a URL without its scheme
	IsURL    bool     // Label is a URL
	Allow    bool     // the link gets no findings
	Watch    bool     // the link is only reported
	Severity Severity // severity of the finding
}

// finding returns the finding of CodeListed, or none if the list allows its links.
func (l *Listed) finding() Finding {
	v := listedHost
	switch {
	case l.Allow:
		return Finding{}
	case l.Watch:
		v = watchedLink
	case l.IsURL:
		v = listedURL
	}
	f := v.finding(l.Label, printable(l.List), l.Line)
	f.Severity = l.Severity
	return f
}

// find returns the lines of lists that have a link.
func (j *Judge) find(l engine.Link) []Listed {
	if j.lists == nil {
		return nil
	}
	return j.lists.Find(l)
}

// allows reports whether a link gets no findings: the operator allows its host, or a list in listed
// allows it and the operator does not block it. listed are the lines of lists that have the link.
func (j *Judge) allows(l engine.Link, listed []Listed) bool {
	return j.allowed.has(l) || slices.ContainsFunc(listed, func(line Listed) bool { return line.Allow }) && !j.blocked.has(l)
}

// Listed returns the lines of lists that have a link, or one that it passes on to. They are the
// lines that cause findings of CodeListed, and the lines of lists that allow their links.
func (j *Judge) Listed(l engine.Link) []Listed {
	j = j.ready()
	found := j.find(l)
	if j.lists == nil {
		return nil
	}
	var urls innerURLs
	c := l.Components()
	host := newLinkHost(l, c.Host)
	j.addByOthers(&urls, l, host, c)
	urls.collect(host.ascii, &c)
	for i := 0; i < len(urls.links); i++ {
		link := urls.links[i]
		for _, line := range j.find(link) {
			if !slices.Contains(found, line) {
				found = append(found, line)
			}
		}
		c := link.Components()
		urls.collect(link.ASCIIHost(), &c)
	}
	return found
}
