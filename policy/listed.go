package policy

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/hostname"
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
	Answer   string   // of a block list in the DNS, which has no lines: 127.0.1.4
}

// finding returns the finding of CodeListed, or none if the list allows its links.
func (l *Listed) finding() Finding {
	v := listedHost
	switch {
	case l.Allow:
		return Finding{}
	case l.Answer != "":
		f := zoneOfDNS.finding(l.Label, printable(l.List), l.Answer)
		f.Severity = l.Severity
		return f
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
	var found []Listed
	if j.lists != nil {
		found = j.lists.Find(l)
	}
	if j.listed == nil {
		return found
	}
	return append(found, j.listed[hostname.Registrable(l.ASCIIHost())]...)
}

// WithListed returns a judge that also knows listings of registrable domains, A-labels, and of addresses.
func (j *Judge) WithListed(listed map[string][]Listed) *Judge {
	with := *j.ready()
	with.listed = listed
	return &with
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
	if j.lists == nil {
		return nil
	}
	var found []Listed
	j.eachOpened(l, func(link engine.Link) {
		for _, line := range j.find(link) {
			if !slices.Contains(found, line) {
				found = append(found, line)
			}
		}
	})
	return found
}

// Hosts returns the hosts, A-labels, of a link and of those that it passes on to.
func (j *Judge) Hosts(l engine.Link) []string {
	var hosts []string
	j.ready().eachOpened(l, func(link engine.Link) {
		if host := strings.TrimSuffix(link.ASCIIHost(), "."); host != "" {
			hosts = append(hosts, host)
		}
	})
	return hosts
}

// eachOpened calls do for a link and for those that it passes on to.
func (j *Judge) eachOpened(l engine.Link, do func(engine.Link)) {
	do(l)
	var urls innerURLs
	c := l.Components()
	host := newLinkHost(l, c.Host)
	j.addByOthers(&urls, l, host, c)
	urls.collect(host.ascii, &c)
	for i := 0; i < len(urls.links); i++ {
		link := urls.links[i]
		do(link)
		c := link.Components()
		urls.collect(link.ASCIIHost(), &c)
	}
}
