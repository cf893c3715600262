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
	Edited  string // address of the page with the message before and after the edit; "": not kept
	Allow   allowance
	Fate    fate
	Marks   []mark
	Token   string
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
		data := findingPage{
			frame: p.frame("Message " + m.QueueID), Message: m, Allow: newAllowance(p.options.Allow(), onlyWrong([]history.Message{m})...), Claims: claimsOf(m.Findings),
			Fate: p.fateOf(&m), Marks: marksOf(&m), Token: p.token,
		}
		if data.Allow.Lines == "" {
			data.Allow = loweredFor(data.Marks)
		}
		if data.Allow.Marked = data.Allow.Lines != ""; !data.Allow.Marked {
			data.Allow = newAllowance(p.options.Allow(), &m)
		}
		if e, ok := p.edited.find(func(e *edited) bool { return m.QueueID != "" && e.QueueID == m.QueueID }); ok {
			data.Edited = "/edited/" + e.ID
		}
		p.render(w, "finding.html", data)
	}
}

// An allowance has the lines that allow the hosts of links.
type allowance struct {
	Lines string
	File  string // the file to which they belong; "": the configuration
	// Replaces says that the configuration has such a line, which these replace.
	Replaces bool
	Marked   bool // an operator said that the findings are wrong
	ForAll   bool // the line is about all mail: no entry of policy.allow fits
}

// A mark is what operators say of the findings with a code.
type mark struct {
	Code policy.Code
	Mark string // history.MarkRight, history.MarkWrong or ""
}

func marksOf(m *history.Message) (all []mark) {
	for _, code := range m.Codes() {
		all = append(all, mark{code, m.Marks[code]})
	}
	return all
}

// loweredFor returns the line that lowers the severity of what is marked as wrong: the last resort for
// findings about no host.
func loweredFor(marks []mark) (a allowance) {
	var lowered []string
	for _, m := range marks {
		if m.Mark == history.MarkWrong {
			lowered = append(lowered, fmt.Sprintf("%s = %q", m.Code, "low"))
		}
	}
	if len(lowered) > 0 {
		a = allowance{Lines: "[policy]\nseverity = { " + strings.Join(lowered, ", ") + " }\n", ForAll: true}
	}
	return a
}

// onlyWrong returns messages with the findings that are marked as wrong.
func onlyWrong(list []history.Message) (all []*history.Message) {
	isWrong := func(m *history.Message) func(policy.Finding) bool {
		return func(f policy.Finding) bool { return m.Marks[f.Code] != history.MarkWrong }
	}
	for i := range list {
		m := list[i]
		m.Findings = slices.DeleteFunc(slices.Clone(m.Findings), isWrong(&m))
		m.Links = nil
		for _, l := range list[i].Links {
			if l.Findings = slices.DeleteFunc(slices.Clone(l.Findings), isWrong(&m)); len(l.Findings) > 0 {
				m.Links = append(m.Links, l)
			}
		}
		all = append(all, &m)
	}
	return all
}

// markFinding notes what an operator says of the findings of a message with a code.
func (p *Page) markFinding(w http.ResponseWriter, r *http.Request) {
	if !p.readForm(w, r) {
		return
	}
	var id history.ID
	code, mark := policy.Code(r.PostForm.Get("code")), r.PostForm.Get("mark")
	if id.UnmarshalText([]byte(r.PathValue("id"))) != nil || mark != history.MarkRight && mark != history.MarkWrong && mark != "" {
		http.NotFound(w, r)
		return
	}
	isNew := false
	m, ok, err := p.options.History.Change(r.Context(), id, func(m *history.Message) {
		if !slices.Contains(m.Codes(), code) {
			return
		}
		isNew = m.Marks[code] != mark
		if m.Marks[code] = mark; mark == "" {
			delete(m.Marks, code)
		}
	})
	switch {
	case err != nil:
		p.notRead(w)
		return
	case !ok:
		http.Error(w, "no such message: it is older than those that are kept", http.StatusNotFound)
		return
	}
	if isNew {
		p.options.Log.Info("finding marked", "id", id.String(), "queue_id", m.QueueID, "code", code, "mark", mark, "user", userOf(r), "client", clientOf(r))
		if p.options.Marked != nil && mark != "" {
			p.options.Marked(code, mark)
		}
	}
	http.Redirect(w, r, "/findings/"+id.String(), http.StatusSeeOther)
}

// claimsOf returns the findings about who a message says it is from.
func claimsOf(findings []policy.Finding) (all []report.Claim) {
	for _, f := range findings {
		if c, ok := report.ClaimOf(f); ok {
			all = append(all, c)
		}
	}
	return all
}

// newAllowance returns the lines that allow the hosts of links, and the senders, where policy.allow has
// some entries.
func newAllowance(allowed []string, messages ...*history.Message) (a allowance) {
	var hosts []string
	add := func(line string) {
		if line != "" && !slices.Contains(hosts, line) {
			hosts = append(hosts, line)
		}
	}
	for _, m := range messages {
		for _, c := range claimsOf(m.Findings) {
			add(c.Allow)
		}
		for _, l := range m.Links {
			add(l.ASCIIHost)
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
	Class string // CSS class of its script, for its colour
	Name  string // as in "U+0430 CYRILLIC SMALL LETTER A, Cyrillic"
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
