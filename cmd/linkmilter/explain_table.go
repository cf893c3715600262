package main

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/explain"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/policy"
	"github.com/linkmilter/linkmilter/policy/uts39"
	"golang.org/x/text/unicode/runenames"
)

// explanationTable writes explanations for people.
type explanationTable struct {
	out   *bufio.Writer
	paint paint
	link  func(string) string // makes a link fit for the output
	begun bool
}

func newExplanationTable(w *bufio.Writer, p paint, terminal bool) *explanationTable {
	t := &explanationTable{out: w, paint: p, link: printable.Text}
	if terminal {
		t.link = func(s string) string { return isolatedLink(printable.Text(s)) }
	}
	return t
}

// write writes one explanation: the kind, the findings and the evidence. It writes
// nothing for a line that cannot be explained, which the command reports as an error.
func (t *explanationTable) write(x explain.Explanation) error {
	if x.Kind == explain.KindNone {
		return nil
	}
	var b strings.Builder
	if t.begun {
		b.WriteByte('\n')
	}
	t.begun = true
	b.WriteString(t.paint.text(styleStrong, t.link(strings.TrimSpace(x.Input))) + "\n")
	b.WriteString(t.facts(x))
	b.WriteString(t.findings(x))
	evidence := evidenceOf(x)
	b.WriteString(t.labels(evidence))
	for _, e := range evidence {
		b.WriteString(t.codePoints(e))
		b.WriteString(t.skeleton(e))
	}
	_, err := t.out.WriteString(b.String())
	return err
}

// facts writes the kind of the line and its target.
func (t *explanationTable) facts(x explain.Explanation) string {
	kind := x.Kind
	switch {
	case x.Kind == explain.KindHost && x.Link.Reason != "":
		kind = fmt.Sprintf("host (%s), no link in running text", x.Link.Reason)
	case x.Link.Reason != "":
		kind = fmt.Sprintf("%s (%s): no link by UTS #58, but other programs make one", x.Kind, x.Link.Reason)
	case x.Kind == explain.KindHost:
		kind = "host, no link in running text"
	}
	rows := [][]cell{t.fact("kind", kind)}
	if href := x.Link.Href(); href != "" {
		rows = append(rows, t.fact("opens", href))
	} else {
		rows = append(rows, t.fact("opens", "nothing: browsers refuse the host"))
	}
	hidden := ""
	if !x.Verdict.DisplayUnicode && x.Link.ASCIIHost() != x.Link.UnicodeHost() {
		hidden = "  (the host not in Unicode)"
		if reason := x.Verdict.HiddenBy.Reason(); reason != "" {
			hidden = fmt.Sprintf("  (the host not in Unicode, by the rule %s: %s)", x.Verdict.HiddenBy, reason)
		}
	}
	if x.Display != strings.TrimSpace(x.Input) && x.Kind != explain.KindHost || hidden != "" {
		shown := t.fact("shown as", "")
		shown[1] = cell{printable.Text(x.Display + hidden), t.link(x.Display) + hidden}
		rows = append(rows, shown)
	}
	if user := x.Link.Components().Userinfo; user != "" && x.Link.Kind != engine.KindEmail {
		rows = append(rows, t.fact("user", user+"  (not the host)"))
	}
	return columns("  ", rows)
}

func (t *explanationTable) fact(name, value string) []cell {
	return []cell{{name, t.paint.text(styleDim, name)}, plainCell(printable.Text(value))}
}

func (t *explanationTable) findings(x explain.Explanation) string {
	switch {
	case x.Allowed:
		return "\n  " + t.paint.text(styleGood, "allowed by the configuration") + "\n"
	case len(x.Verdict.Findings) == 0:
		return "\n  " + t.paint.text(styleGood, "nothing found against it") + "\n"
	}
	findings := slices.Clone(x.Verdict.Findings)
	slices.SortStableFunc(findings, func(a, b policy.Finding) int { return int(b.Severity) - int(a.Severity) })
	var rows [][]cell
	for _, f := range findings {
		style := severityStyle(f.Severity)
		severity := f.Severity.String()
		detail := printable.Text(f.Detail)
		if f.Label != "" {
			detail = printable.Text(f.Label) + ": " + detail
		}
		rows = append(rows, []cell{{severity, t.paint.text(style, severity)}, {string(f.Code), t.paint.text(style, string(f.Code))}, plainCell(detail)})
	}
	manual := []string{}
	for _, f := range findings {
		if page := t.paint.text(styleDim, explain.ManualOf(f.Code)); !slices.Contains(manual, page) {
			manual = append(manual, page)
		}
	}
	return "\n" + columns("  ", rows) + "  " + strings.Join(manual, "\n  ") + "\n"
}

// labels lists the labels of the host.
func (t *explanationTable) labels(evidence []evidence) string {
	var head []cell
	for _, name := range []string{"label", "A-label", "scripts", "restriction level"} {
		head = append(head, cell{name, t.paint.text(styleDim, name)})
	}
	rows := [][]cell{head}
	for _, e := range evidence {
		if !e.isLabel {
			continue
		}
		ascii := e.label.ascii
		if ascii == e.text {
			ascii = ""
		}
		level := e.label.level.String()
		style := ""
		if e.label.level >= uts39.ModeratelyRestrictive {
			style = styleWarn
		}
		rows = append(rows, []cell{t.marked(e), plainCell(ascii), plainCell(scriptNames(e.label)), {level, t.paint.text(style, level)}})
	}
	if len(rows) == 1 {
		return ""
	}
	if !slices.ContainsFunc(rows[1:], func(row []cell) bool { return row[1].plain != "" }) {
		for i := range rows {
			rows[i] = slices.Delete(rows[i], 1, 2)
		}
	}
	return "\n" + columns("  ", rows)
}

// marked is a text with its suspicious code points in colour.
func (t *explanationTable) marked(e evidence) cell {
	if e.text == "" {
		return cell{"(empty)", t.paint.text(styleDim, "(empty)")}
	}
	var painted strings.Builder
	for _, r := range e.text {
		style := ""
		if e.suspects(r) {
			style = styleAlarm
		}
		painted.WriteString(t.paint.text(style, printable.Text(string(r))))
	}
	return cell{printable.Text(e.text), painted.String()}
}

// codePoints lists the suspicious code points of a label or word.
func (t *explanationTable) codePoints(e evidence) string {
	if len(e.suspicious) == 0 {
		return ""
	}
	var rows [][]cell
	for _, c := range e.suspicious {
		code := fmt.Sprintf("U+%04X", c.code)
		remark := ""
		switch {
		case c.looksLike != "":
			remark = "looks like " + c.looksLike
		case !c.allowed:
			remark = "not for identifiers"
		}
		rows = append(rows, []cell{
			{code, t.paint.text(styleAlarm, code)},
			plainCell(glyph(c.code)), plainCell(runeName(c.code)), plainCell(c.script.String()), plainCell(remark),
		})
	}
	title := t.paint.text(styleDim, "code points of ") + t.marked(e).painted
	if e.text == "" {
		title = t.paint.text(styleDim, "code points")
	}
	return "\n  " + title + "\n" + columns("    ", rows)
}

// skeleton says what a suspicious label looks like.
func (t *explanationTable) skeleton(e evidence) string {
	skeleton := uts39.Skeleton(e.text)
	if !e.isLabel || len(e.suspicious) == 0 && e.collides == "" {
		return ""
	}
	lead := "\n"
	if len(e.suspicious) > 0 {
		lead = ""
	}
	line := lead + "  " + t.paint.text(styleDim, "skeleton ") + printable.Text(skeleton)
	name, _, _ := strings.Cut(e.collides, ".")
	switch {
	case e.collides == "", e.collides == skeleton:
	case skeleton == uts39.Skeleton(name):
		line += ", as that of " + t.paint.text(styleAlarm, e.collides)
	default:
		line += ", close to " + t.paint.text(styleAlarm, e.collides)
	}
	return line + "\n"
}

func scriptNames(l hostLabel) string {
	names := make([]string, len(l.scripts))
	for i, s := range l.scripts {
		names[i] = s.String()
	}
	return strings.Join(names, ", ")
}

// glyph shows a code point, a mark on a dotted circle.
func glyph(r rune) string {
	const dottedCircle = "\u25cc"
	if unicode.IsMark(r) {
		return dottedCircle + string(r)
	}
	if unicode.Is(unicode.Cf, r) || !unicode.IsPrint(r) {
		return ""
	}
	return string(r)
}

func runeName(r rune) string {
	if name := runenames.Name(r); name != "" {
		return name
	}
	return "<unassigned>"
}
