package policy

import (
	"fmt"
	"maps"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/engine/tld"
)

// Options configure a Judge. The zero value is the defaults.
type Options struct {
	// Severities replace the severity of all findings of a code.
	// SeverityNone turns the code off.
	Severities map[Code]Severity
	// Protected are domains that others must not look like, beside the
	// built-in list: the operator's own. U-labels or A-labels.
	Protected []string
	// TLDs are the top-level domains that exist; nil means tld.Builtin().
	TLDs *tld.Set
}

// A Judge judges links. It is immutable and safe for concurrent use.
type Judge struct {
	severities map[Code]Severity
	protected  *protectedSet
	tlds       *tld.Set
}

// New returns a Judge, or an error for a code that does not exist or a
// protected domain that is none.
func New(o Options) (*Judge, error) {
	for c, s := range o.Severities {
		if _, err := DefaultSeverity(c); err != nil {
			return nil, err
		}
		if s > SeverityHigh {
			return nil, fmt.Errorf("%s: unknown %s", c, s)
		}
	}
	p, err := newProtectedSet(o.Protected)
	if err != nil {
		return nil, err
	}
	tlds := o.TLDs
	if tlds == nil {
		tlds = tld.Builtin()
	}
	return &Judge{severities: maps.Clone(o.Severities), protected: p, tlds: tlds}, nil
}

// Link judges a link, an address, or a suspect, all of it: the host, and the
// rest for what misleads a reader there. It allocates nothing for a link in
// ASCII that nothing is wrong with.
func (j *Judge) Link(l engine.Link) Verdict {
	g := judgement{judge: j}
	c := l.Components()
	h := newHost(l, c.Host)
	g.authority(l, c, h)
	if !isIP(h.ascii) && len(h.unicode) <= maxHost {
		g.host(h)
		g.order(h, c.Path)
	}
	if l.Kind == engine.KindEmail {
		g.part(c.Userinfo)
	}
	for _, part := range [...]string{c.Path, c.Query, c.Fragment} {
		g.part(part)
	}
	for _, d := range c.Directives {
		g.part(d)
	}
	g.nestedHosts(c)
	v := Verdict{Findings: g.findings}
	v.DisplayUnicode = h.ascii != "" && g.worst < SeverityMedium
	return v
}

// A judgement collects the findings about one link.
type judgement struct {
	judge    *Judge
	findings []Finding
	worst    Severity // of the findings about the host
}

// add adds a finding that says nothing about the host. The severity is the
// one to use where none is configured. It returns the severity in force.
func (g *judgement) add(c Code, s Severity, label, detail string) Severity {
	if configured, ok := g.judge.severities[c]; ok && s != SeverityNone {
		s = configured
	}
	if s != SeverityNone {
		g.findings = append(g.findings, Finding{c, s, shorten(label), detail})
	}
	return s
}

// maxLabel is the length in octets of the longest label of a finding: a name
// as long as the DNS takes it, more than anybody reads.
const maxLabel = 253

// shorten cuts s to maxLabel octets, between code points where it is UTF-8.
func shorten(s string) string {
	if len(s) <= maxLabel {
		return s
	}
	end := maxLabel
	for end > maxLabel-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// addHost adds a finding about the host.
func (g *judgement) addHost(c Code, s Severity, label, detail string) {
	g.worst = max(g.worst, g.add(c, s, label, detail))
}
