// Package explain reads a line as a link, a host or an address, and judges it as the filter
// does. The result is a record for other programs. The command explain also prints it for
// people; the HTTP API answers with it.
package explain

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/policy"
)

// The kinds of explanations that do not belong to links; the others are those of
// engine.Kind.
const (
	KindHost = "host" // a name or IP address that is not a link in running text
	KindText = "text" // a text with parts that programs read and people do not see
	KindNone = "none"
)

// impliedScheme begins the href of a bare host.
const impliedScheme = "http://"

// An Explanation has the results for one line.
type Explanation struct {
	Input   string
	Kind    string
	Link    engine.Link
	Verdict policy.Verdict
	Display string
	Allowed bool                // the configuration allows the host
	Unseen  []engine.UnseenText // parts of the line that programs read and people do not see
}

// An Explainer reads a line as a link, a host or an address, and judges it.
type Explainer struct {
	scanner  *engine.Scanner
	filter   *filter.Filter
	maxLinks int
}

// New returns an Explainer that judges with f, and finds links as detection says.
func New(f *filter.Filter, detection engine.Options) (*Explainer, error) {
	detection.Suspects = true
	scanner, err := engine.New(detection)
	if err != nil {
		return nil, err
	}
	return &Explainer{scanner, f, cmp.Or(detection.MaxLinks, filter.DefaultOptions().Engine.MaxLinks)}, nil
}

// MaxLinks returns how many links the filter judges in one message.
func (e *Explainer) MaxLinks() int { return e.maxLinks }

// Explain explains a line. The error says why the line cannot be explained; then the
// kind is "none".
func (e *Explainer) Explain(line string) (Explanation, error) {
	unseen := slices.Collect(engine.Unseen(line))
	kind, link, err := e.read(strings.TrimSpace(line))
	if err != nil && len(unseen) > 0 {
		return Explanation{Input: line, Kind: KindText, Display: engine.Clean(line), Unseen: unseen}, nil
	}
	if err != nil {
		return Explanation{Input: line, Kind: KindNone}, err
	}
	if !slices.ContainsFunc(unseen, func(u engine.UnseenText) bool { return u.Kind.Deceives() }) {
		unseen = nil // the findings about a link say enough
	}
	verdict, allowed := e.filter.Judge(link)
	display := displayOf(link, verdict)
	if kind == KindHost {
		display = strings.TrimPrefix(display, impliedScheme) // it was not typed
	}
	return Explanation{line, kind, link, verdict, display, allowed, unseen}, nil
}

// read finds the kind of a text. It tries detection in running text first, and then
// reads the text as a browser reads its address bar.
func (e *Explainer) read(text string) (kind string, link engine.Link, err error) {
	found, isLink := e.whole(text)
	if isLink && found.Kind != engine.KindSuspect {
		return found.Kind.String(), found, nil
	}
	isLink = isLink && !isRefusedHost(found)
	parsed, err := engine.ParseLink(text)
	switch {
	case isLink && err == nil:
		// Browsers open this suspect, so its parts are those that browsers see.
		parsed.Kind, parsed.Reason = found.Kind, found.Reason
		return found.Kind.String(), parsed, nil
	case isLink:
		return found.Kind.String(), found, nil
	case err == nil && isBareHost(parsed):
		return KindHost, parsed, nil
	case err == nil:
		return parsed.Kind.String(), parsed, nil
	}
	if host, ok := e.host(text); ok {
		return KindHost, host, nil
	}
	return KindNone, engine.Link{}, err
}

// whole returns the link that detection finds, if it is the whole text.
func (e *Explainer) whole(text string) (engine.Link, bool) {
	links := e.scanner.Append(nil, text)
	if len(links) != 1 || links[0].Start != 0 || links[0].End != len(text) {
		return engine.Link{}, false
	}
	return links[0], true
}

// host reads a name that the detection does not take for a link: a single label, an IPv6 address
// without brackets, or a name that IDNA refuses.
func (e *Explainer) host(text string) (engine.Link, bool) {
	if address, err := netip.ParseAddr(text); err == nil && address.Is6() {
		text = "[" + text + "]"
	}
	if strings.ContainsAny(text, " \t@/\\?#") || text == "" {
		return engine.Link{}, false
	}
	link, err := engine.ParseLink(impliedScheme + text)
	if err == nil {
		return link, true
	}
	if strings.Contains(text, ":") {
		return engine.Link{}, false // another scheme, such as tel:
	}
	return e.whole(impliedScheme + text)
}

// isRefusedHost reports whether a suspect is only a host, such as 192.0.2.1.
func isRefusedHost(l engine.Link) bool {
	return l.Components().Host == l.Text && !ascii.HasPrefixFold(l.Text, "www.")
}

// isBareHost reports whether a link is a host and nothing else.
func isBareHost(l engine.Link) bool {
	return l.Kind == engine.KindURL && l.Components().Host == l.Text
}

// displayOf returns the form of a link that the filter would show.
func displayOf(l engine.Link, v policy.Verdict) string {
	switch {
	case l.Kind == engine.KindSuspect, l.Href() == "":
		return l.Text
	case !v.DisplayUnicode || v.Worst() >= policy.SeverityMedium:
		return l.Readable(engine.HostASCII)
	case engine.TablesAgree():
		return l.Readable(engine.HostUnicode)
	}
	return l.Readable(engine.HostAsTyped)
}

// A Record is the explanation of one line in JSON. The names are a contract with other
// programs.
type Record struct {
	Input          string    `json:"input"`
	Kind           string    `json:"kind"`
	ASCIIHost      string    `json:"ascii_host"`
	UnicodeHost    string    `json:"unicode_host"`
	Href           string    `json:"href"`
	Display        string    `json:"display"`
	DisplayUnicode bool      `json:"display_unicode"`
	HiddenBy       string    `json:"hidden_by,omitempty"`
	Findings       []Finding `json:"findings"`
	Unseen         []Unseen  `json:"unseen,omitempty"`
}

// An Unseen is a part of the line that programs read and people do not see. Its place is in bytes.
type Unseen struct {
	Offset     int    `json:"offset"`
	Length     int    `json:"length"`
	Kind       string `json:"kind"`
	Characters int    `json:"characters"`
	Says       string `json:"says"`
}

// A Finding is a finding with the section of the manual about its code.
type Finding struct {
	policy.Finding
	Manual string `json:"manual"`
}

// Project is the URL where the project and its manual are.
const Project = "https://github.com/linkmilter/linkmilter"

// ManualOf returns the URL of the section of the manual about a code.
func ManualOf(code policy.Code) string {
	return Project + "/blob/main/docs/findings.md#" + string(code)
}

// Record returns the explanation as a record.
func (x *Explanation) Record() Record {
	r := Record{
		Input:          x.Input,
		Kind:           x.Kind,
		ASCIIHost:      x.Link.ASCIIHost(),
		UnicodeHost:    x.Link.UnicodeHost(),
		Href:           x.Link.Href(),
		Display:        x.Display,
		DisplayUnicode: x.Verdict.DisplayUnicode,
		HiddenBy:       x.Verdict.HiddenBy.String(),
		Findings:       []Finding{},
	}
	for _, f := range x.Verdict.Findings {
		r.Findings = append(r.Findings, Finding{f, ManualOf(f.Code)})
	}
	for _, u := range x.Unseen {
		r.Unseen = append(r.Unseen, Unseen{u.Start, u.End - u.Start, u.Kind.String(), u.Count, u.Decoded})
	}
	return r
}
