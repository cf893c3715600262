package adminpage

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy"
)

type findingPage struct {
	frame
	Message history.Message
	Edited  string // address of the message before and after the edit; "": not kept
	Allow   allowance
	Claims  []report.Claim
}

func (p *Page) serveFinding(w http.ResponseWriter, r *http.Request) {
	var id history.ID
	if id.UnmarshalText([]byte(r.PathValue("id"))) != nil {
		http.NotFound(w, r)
		return
	}
	m, ok, err := p.options.History.Get(r.Context(), id)
	switch {
	case err != nil:
		p.notRead(w)
	case !ok:
		http.Error(w, "no such message: it is older than those that are kept", http.StatusNotFound)
	default:
		data := findingPage{frame: p.frame("Message " + m.QueueID), Message: m, Allow: newAllowance(p.options.Allow(), &m), Claims: claimsOf(m.Findings)}
		if e, ok := p.edited.find(func(e *edited) bool { return m.QueueID != "" && e.QueueID == m.QueueID }); ok {
			data.Edited = "/edited/" + e.ID
		}
		p.render(w, "finding.html", data)
	}
}

// An allowance has the lines that allow the hosts of links.
type allowance struct {
	Lines string
	File  string // where they go; "": the configuration
	// Replaces says that the configuration has such a line, which these replace.
	Replaces bool
}

// claimsOf returns what findings say about the sender.
func claimsOf(findings []policy.Finding) (all []report.Claim) {
	for _, f := range findings {
		if c, ok := report.ClaimOf(f); ok {
			all = append(all, c)
		}
	}
	return all
}

// newAllowance returns the lines that allow the hosts of links, and the sender, where policy.allow has
// some entries.
func newAllowance(allowed []string, m *history.Message) (a allowance) {
	var hosts []string
	for _, c := range claimsOf(m.Findings) {
		if c.Allow != "" && !slices.Contains(hosts, c.Allow) {
			hosts = append(hosts, c.Allow)
		}
	}
	for _, l := range m.Links {
		if l.ASCIIHost != "" && !slices.Contains(hosts, l.ASCIIHost) {
			hosts = append(hosts, l.ASCIIHost)
		}
	}
	if len(hosts) == 0 {
		return a
	}
	for _, entry := range allowed {
		if path, ok := strings.CutPrefix(entry, "file:"); ok {
			return allowance{Lines: strings.Join(hosts, "\n") + "\n", File: path}
		}
	}
	var quoted []string
	for _, host := range slices.Concat(allowed, hosts) {
		quoted = append(quoted, strconv.Quote(host))
	}
	return allowance{Lines: "[policy]\nallow = [" + strings.Join(quoted, ", ") + "]\n", Replaces: len(allowed) > 0}
}

// A codePoint is a character of a host as the page shows it.
type codePoint struct {
	Text  string
	Class string // by script, for its colour
	Name  string // U+0430 CYRILLIC SMALL LETTER A, Cyrillic
}

// codePointsOf returns the characters of a host in Unicode.
func codePointsOf(host string) []codePoint {
	var all []codePoint
	for _, r := range host {
		text := string(r)
		if isUnseen([]rune{'x', r}, 1) {
			text = fmt.Sprintf(`\u{%04X}`, r)
		}
		all = append(all, codePoint{text, classOf(r, ucd.ScriptOf(r)), nameOf(r)})
	}
	return all
}

// classOf returns the class of a character: ASCII, a script that is often mistaken for
// Latin, or another.
func classOf(r rune, script ucd.Script) string {
	switch {
	case r < 0x80:
		return "ascii"
	case script == ucd.ScriptLatn:
		return "latin"
	case script == ucd.ScriptCyrl:
		return "cyrillic"
	case script == ucd.ScriptGrek:
		return "greek"
	}
	return "other"
}
