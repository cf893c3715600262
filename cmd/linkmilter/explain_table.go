package main

import (
	"bufio"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/runenames"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/explain"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/printable"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy"
	"github.com/linkmilter/linkmilter/policy/uts39"
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
	if x.Kind == explain.KindText {
		b.WriteString(columns("  ", [][]cell{t.fact("kind", "text, no link"), t.fact("people see", x.Display)}) + t.unseen(x))
		_, err := t.out.WriteString(b.String())
		return err
	}
	b.WriteString(t.facts(x))
	b.WriteString(t.unseen(x))
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
			if site := x.Verdict.HiddenLike; site != "" {
				reason += ", " + site
			}
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

// unseen lists the parts of the line that programs read and people do not see.
func (t *explanationTable) unseen(x explain.Explanation) string {
	if len(x.Unseen) == 0 {
		return ""
	}
	var rows [][]cell
	for _, u := range x.Unseen {
		style := ""
		if u.Kind.Deceives() {
			style = styleAlarm
		}
		kind := u.Kind.String()
		says := ""
		if u.Decoded != "" {
			says = "says " + printable.Text(u.Decoded)
		}
		rows = append(rows, []cell{{kind, t.paint.text(style, kind)}, plainCell(fmt.Sprintf("bytes %d to %d", u.Start, u.End)), plainCell(fmt.Sprintf("%d unseen", u.Count)), plainCell(says)})
	}
	return "\n  programs read what people do not see:\n" + columns("  ", rows)
}

func (t *explanationTable) fact(name, value string) []cell {
	return []cell{{name, t.paint.text(styleDim, name)}, plainCell(printable.Text(value))}
}

func (t *explanationTable) findings(x explain.Explanation) string {
	switch {
	case x.Allowed:
		return "\n  " + t.paint.text(styleGood, "allowed by the configuration") + "\n"
	case len(x.Verdict.Findings) == 0 && x.Verdict.HiddenBy.Reason() != "":
		return "\n  " + t.paint.text(styleGood, "no finding: only its letters are not shown") + "\n"
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

// marked returns a text with its suspicious code points in colour.
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

// skeleton writes the name that a suspicious label looks like.
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

// glyph returns a code point as a text; a mark is on a dotted circle.
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

// evidence has facts that explain the findings about a label of the host, or about a word of the
// rest of a link.
type evidence struct {
	text       string
	isLabel    bool
	label      hostLabel // of a label: its description
	findings   []policy.Finding
	suspicious []character
	collides   string // the name that it looks like: a protected domain, or a word in ASCII
}

// suspects reports whether a code point is suspicious.
func (e *evidence) suspects(r rune) bool {
	return slices.ContainsFunc(e.suspicious, func(c character) bool { return c.code == r })
}

// evidenceOf returns the evidence about each label of the host, in order, and
// then about each other text that a finding names.
func evidenceOf(x explain.Explanation) []evidence {
	var all []evidence
	of := map[string][]policy.Finding{}
	for _, f := range x.Verdict.Findings {
		of[f.Label] = append(of[f.Label], f)
	}
	for _, l := range labelsOf(x.Link) {
		e := evidence{text: l.unicode, isLabel: true, label: l, findings: of[l.unicode]}
		e.gather(l.characters)
		e.collides = collision(e)
		all = append(all, e)
		delete(of, l.unicode)
	}
	for _, f := range x.Verdict.Findings {
		findings, ok := of[f.Label]
		if !ok {
			continue
		}
		delete(of, f.Label)
		e := evidence{text: f.Label, findings: findings}
		e.label.level = uts39.LevelOf(f.Label)
		var characters []character
		for _, r := range f.Label {
			if r >= 0x80 {
				characters = append(characters, characterOf(r))
			}
		}
		e.gather(characters)
		all = append(all, e)
	}
	return all
}

// gather collects the suspicious characters of the text, and those that findings name. The text may
// lack the latter, for example because it has them in escapes.
func (e *evidence) gather(characters []character) {
	if len(e.findings) == 0 {
		return
	}
	named := map[rune]bool{}
	for _, f := range e.findings {
		for _, code := range codePoint.FindAllStringSubmatch(f.Detail, -1) {
			r, err := strconv.ParseUint(code[1], 16, 32)
			if err != nil || r < 0x80 {
				continue
			}
			named[rune(r)] = true
			if !strings.ContainsRune(e.text, rune(r)) {
				characters = append(characters, characterOf(rune(r)))
			}
		}
	}
	for _, c := range characters {
		if (named[c.code] || e.isSuspicious(c)) && !e.suspects(c.code) {
			e.suspicious = append(e.suspicious, c)
		}
	}
}

// codePoint finds the code points that the detail of a finding names.
var codePoint = regexp.MustCompile(`\bU\+([0-9A-F]{4,6})\b`)

// isSuspicious reports whether a character may be the cause of a finding: it is not allowed in
// identifiers, is a non-Latin character beside Latin ones, looks like ASCII, or turns one name into
// a look-alike of another.
func (e *evidence) isSuspicious(c character) bool {
	mixed := e.label.level >= uts39.ModeratelyRestrictive && c.script != ucd.ScriptLatn && !unicode.Is(unicode.Common, c.code)
	return !c.allowed || mixed || c.looksLike != "" || e.has(policy.CodeLookalike)
}

func (e *evidence) has(code policy.Code) bool {
	return slices.ContainsFunc(e.findings, func(f policy.Finding) bool { return f.Code == code })
}

// collision returns the name that a label looks like: the domain that a finding names, otherwise
// its reading in ASCII, or "".
func collision(e evidence) string {
	for _, f := range e.findings {
		if name := report.Imitated(f); name != "" {
			return name
		}
	}
	if len(e.suspicious) == 0 {
		return ""
	}
	reading := []byte{}
	for _, r := range e.text {
		if r < 0x80 {
			reading = append(reading, byte(r))
			continue
		}
		like := characterOf(r).looksLike
		if like == "" {
			return ""
		}
		reading = append(reading, like...)
	}
	if string(reading) == e.text {
		return ""
	}
	return string(reading)
}

// A hostLabel describes one label of a host.
type hostLabel struct {
	unicode string       // U-label
	ascii   string       // A-label; "" if the label has none
	scripts []ucd.Script // without Common and Inherited
	// level is the restriction level (UTS #39 §5.2) of the label without ZWJ
	// and ZWNJ.
	level uts39.Level
	// characters has the non-ASCII characters, each once, in order.
	characters []character
}

// A character describes one character of a label.
type character struct {
	code   rune
	script ucd.Script
	// allowed is true for Identifier_Status Allowed (UTS #39 §3.1).
	allowed bool
	// looksLike is the ASCII string that the character looks like: its
	// skeleton (UTS #39 §4); "" if that is not printable ASCII.
	looksLike string
}

// labelsOf returns a description of each label of the host of a link, in order. It
// returns nil for an IP address and for a link without a host.
func labelsOf(l engine.Link) []hostLabel {
	host := l.ASCIIHost()
	if host == "" {
		host = strings.ToLower(hostname.FullStops(l.Components().Host))
	}
	if host == "" || hostname.IsIP(l.ASCIIHost()) {
		return nil
	}
	var list []hostLabel
	for label := range strings.SplitSeq(strings.TrimSuffix(hostname.Unicode(host), "."), ".") {
		e := hostLabel{unicode: label, level: uts39.LevelOf(withoutJoiners.Replace(label))}
		if aLabel, err := idna.Punycode.ToASCII(label); err == nil {
			e.ascii = aLabel
		}
		e.scripts = scriptsOf(label)
		e.characters = charactersOf(label)
		list = append(list, e)
	}
	return list
}

// withoutJoiners removes ZWNJ and ZWJ, which some languages need.
var withoutJoiners = strings.NewReplacer("\u200c", "", "\u200d", "")

// scriptsOf returns the scripts of the characters of a label, without Common and
// Inherited (UAX #24).
func scriptsOf(label string) []ucd.Script {
	var set ucd.ScriptSet
	for _, r := range label {
		if script := ucd.ScriptOf(r); script != ucd.ScriptZyyy && script != ucd.ScriptZinh {
			set = set.With(script)
		}
	}
	return set.Append(nil)
}

// charactersOf describes the non-ASCII characters of a label, each once.
func charactersOf(label string) []character {
	var list []character
	seen := map[rune]bool{}
	for _, r := range label {
		if r >= 0x80 && !seen[r] {
			seen[r] = true
			list = append(list, characterOf(r))
		}
	}
	return list
}

// characterOf describes a character.
func characterOf(r rune) character {
	id := ucd.IdentityOf(r)
	c := character{code: r, script: id.Script(), allowed: id.Allowed()}
	if like := uts39.Skeleton(string(r)); strings.IndexFunc(like, func(r rune) bool { return r <= ' ' || r > '~' }) < 0 {
		c.looksLike = like
	}
	return c
}
