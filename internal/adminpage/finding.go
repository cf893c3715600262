package adminpage

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/linkmilter/linkmilter/internal/history"
)

type findingPage struct {
	frame
	Message history.Message
	Edited  string // address of the message before and after the edit; "": not kept
	Allow   allowance
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
		data := findingPage{frame: p.frame("Message " + m.QueueID), Message: m, Allow: newAllowance(p.options.Allow(), m.Links)}
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

// newAllowance returns the lines that allow the hosts of links where policy.allow has
// some entries.
func newAllowance(allowed []string, links []history.Link) (a allowance) {
	var hosts []string
	for _, l := range links {
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
