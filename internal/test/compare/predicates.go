package main

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// predicates are the conditions that need code. Each checks that a change is of
// exactly one kind, so that it hides no other.
var predicates = map[string]term{
	"host-goes-on":          hostGoesOn,
	"host-goes-on-unlinked": hostGoesOnUnlinked,
	"chosen-reason":         chosenReason,
	"chosen-reason-tag":     chosenReasonTag,
	"link-too-long":         linkTooLong,
	"forged-field":          forgedField,
	"escaped-error":         escapedError,
	"bom":                   bomIgnored,
	"defang":                defangWidened,
	"bare-host":             bareHostUnlinked,
	"late-tags":             lateTags,
	"detail-in-table":       detailInTable,
}

// linkHost matches a link of a scheme and a host, with a port or without: what a
// link is when it ends where its host goes on. The root dot may be part of it.
var linkHost = regexp.MustCompile(`^(?i:(?:https?|ftp)://)?[^\s/?#@]+\.?$`)

// goesOn matches the start of what follows such a host: characters that browsers
// take into the host or that make the host a user name.
var goesOn = regexp.MustCompile("^(?:\\.?[_+~!$&'*=;,%|\\\\^`{}-]|[\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]|\\.{2})")

// hostGoesOn: an object became a suspect that holds more of the host, or only
// its kind changed and the host goes on in the input. Links inside the suspect are gone.
func hostGoesOn(j *judgement) bool {
	old, new := j.change.oldObj, j.change.newObj
	if new == nil {
		return slices.ContainsFunc(j.changes, func(c change) bool {
			return c.newObj != nil && c.where == whereObject && becameSuspect(j.input, c.oldObj, c.newObj) && within(old, c.newObj)
		})
	}
	return becameSuspect(j.input, old, new)
}

func becameSuspect(input []byte, old, new object) bool {
	if new.text("kind") != "suspect" || old.text("kind") == "suspect" {
		return false
	}
	text := new.text("text") + new.text("input") // of scan, or of explain
	if old == nil || old.text("kind") == "none" {
		start, rest, found := cutHost(text)
		return found && linkHost.MatchString(start) && goesOn.MatchString(rest)
	}
	before := old.text("text")
	if before == "" {
		before, _, _ = cutHost(text)
	}
	rest, found := strings.CutPrefix(text, before)
	if !found || !linkHost.MatchString(before) {
		return false
	}
	if rest != "" {
		return goesOn.MatchString(rest)
	}
	_, after, found := bytes.Cut(input, []byte(before))
	return found && goesOn.Match(after)
}

// cutHost cuts a text where the letters, digits, hyphens and dots of its first host end.
func cutHost(text string) (host, rest string, found bool) {
	m := regexp.MustCompile(`^((?i:(?:https?|ftp)://)?[\pL\pM\pN-]+(?:\.[\pL\pM\pN-]+)+)(.+)$`).FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// within reports whether an object of scan lies in the range of another.
func within(inner, outer object) bool {
	start := inner.number("offset")
	end := start + inner.number("length")
	return inner.text("part") == outer.text("part") && inner.text("file") == outer.text("file") && inner.text("kind") != "message" &&
		start >= outer.number("offset") && end <= outer.number("offset")+outer.number("length")
}

// hostInText matches a host that goes on somewhere in a text.
var hostInText = regexp.MustCompile("(?i)(?:https?|ftp)://[\\pL\\pN.-]+\\.[\\pL\\pN-]{2,}(?:\\.?[_+~!$&'*=;,|\\\\^`{}]|[\uff00-\uff0f\uff1a-\uff20])")

var (
	anchorTags = regexp.MustCompile(`</?(?:a|bdi)(?: [^>]*)?>`)
	ownField   = regexp.MustCompile(`^X-Linkmilter(?:-Finding)?: `)
)

// hostGoesOnUnlinked: lines of the alternative differ in their anchors only, or
// fields of ours are others, and a host goes on in the text.
func hostGoesOnUnlinked(j *judgement) bool {
	if !hostInText.MatchString(decoded(j.input)) {
		return false
	}
	c := j.change
	if onlyOwnFields(c.old) && onlyOwnFields(c.new) {
		return aboutHostsThatGoOn(j)
	}
	return c.old != c.new && strings.Contains(c.old, "<a ") && anchorTags.ReplaceAllString(c.old, "") == anchorTags.ReplaceAllString(c.new, "")
}

// wholeHost matches all that is before the path of a URL.
var wholeHost = regexp.MustCompile(`(?i)(?:https?|ftp)://([^\s/<>"?#]+)`)

// aboutHostsThatGoOn reports whether the fields about findings differ, and only in
// those about hosts that go on in the input.
func aboutHostsThatGoOn(j *judgement) bool {
	var going []string
	for _, m := range wholeHost.FindAllStringSubmatch(decoded(j.input), -1) {
		if hostInText.MatchString(m[0]) {
			going = append(going, strings.ToLower(m[1]))
		}
	}
	before, after := findingFields(j.old.stdout), findingFields(j.new.stdout)
	differing := 0
	for _, field := range slices.Concat(before, after) {
		if slices.Contains(before, field) && slices.Contains(after, field) {
			continue
		}
		differing++
		about := regexp.MustCompile(`; host="([^"]+)"`).FindStringSubmatch(field)
		if about == nil || !slices.ContainsFunc(going, func(h string) bool { return strings.Contains(h, strings.ToLower(about[1])) }) {
			return false
		}
	}
	return differing > 0
}

// findingFields returns the fields about findings without the wording of details.
func findingFields(message []byte) []string {
	fields := findingField.FindAllString(string(message[:headerEnd(message)]), -1)
	for i := range fields {
		fields[i] = withoutDetail(fields[i])
	}
	return fields
}

// onlyOwnFields reports whether a text is fields of linkmilter, or empty.
// Folded lines count to the field before; a piece of a field may come first.
func onlyOwnFields(text string) bool {
	for line := range strings.Lines(text) {
		if !ownField.MatchString(line) && !(strings.HasPrefix(line, " ") && strings.Contains(line, "=")) {
			return false
		}
	}
	return true
}

// chosenReasons are the reasons that a sender chooses: ambiguous MIME, transfer
// encodings that are wrong, limits and the deadline.
var chosenReasons = strings.Fields(`
	malformed-header blank-header-line space-before-colon mbox-from-line header-too-large duplicate-content-type
	duplicate-transfer-encoding duplicate-content-disposition mime-version malformed-content-type duplicate-parameter
	extended-parameter duplicate-boundary missing-boundary invalid-boundary reused-boundary ambiguous-delimiter missing-delimiter
	missing-close-delimiter delimiter-after-close encoded-multipart too-deep too-many-parts unknown-encoding invalid-base64
	invalid-quoted-printable nul bare-cr message-too-large too-many-links deadline html-too-long link-too-long`)

// chosenReason: of an object about a message only the severity is another, medium,
// and its reason is one that a sender chooses.
func chosenReason(j *judgement) bool {
	old, new := j.change.oldObj, j.change.newObj
	before, after := findings(old), findings(new)
	if old.text("kind") != "message" || len(before) != 1 || len(after) != 1 || !keepsDetail(before[0]) {
		return false
	}
	a, b := before[0], after[0]
	return slices.Contains([]string{"low", "info"}, a.text("severity")) && b.text("severity") == "medium" &&
		a.text("code") == b.text("code") && a.text("label") == b.text("label") && a.text("detail") == b.text("detail") &&
		slices.Contains(chosenReasons, a.text("detail"))
}

// chosenReasonTag: fields of ours alone differ, and say medium for a message that was
// not read for such a reason.
func chosenReasonTag(j *judgement) bool {
	c := j.change
	if c.new == "" || !onlyOwnFields(c.old) || !onlyOwnFields(c.new) {
		return false
	}
	fields := strings.Join(findingField.FindAllString(string(j.new.stdout), -1), "")
	unfolded := regexp.MustCompile(`\s+`).ReplaceAllString(fields, " ")
	said := regexp.MustCompile(`code=(?:partial|unreadable); severity=medium;[^X]*detail="([a-z0-9-]+)"`).FindStringSubmatch(unfolded)
	if said == nil || !slices.Contains(chosenReasons, said[1]) {
		return false
	}
	lift := strings.NewReplacer("severity=info", "severity=medium", "severity=low", "severity=medium", "worst=info", "worst=medium", "worst=low", "worst=medium")
	return c.old == "" || lift.Replace(c.old) == c.new
}

// longLink is a length in bytes that no ordinary link has.
const longLink = 2000

// linkTooLong: a very long suspect, in place of the same link or of nothing, or the
// reason link-too-long.
func linkTooLong(j *judgement) bool {
	old, new := j.change.oldObj, j.change.newObj
	if new == nil {
		return false
	}
	if new.text("kind") == "message" {
		return old == nil && reasonOf(new) == "partial link-too-long"
	}
	long := max(new.number("length"), len(new.text("input"))) >= longLink
	return long && new.text("kind") == "suspect" && (old == nil || old.text("text")+old.text("input") == new.text("text")+new.text("input"))
}

// forgedField: fields of ours with NUL or a backslash before the parameters are gone.
func forgedField(j *judgement) bool {
	forged := regexp.MustCompile(`^(?i:X-Linkmilter(?:-Finding)?)\s*:[^;\n]*[\x00\\]`)
	field := false
	for line := range strings.Lines(j.change.old) {
		folded := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		if !forged.MatchString(line) && !(folded && field) {
			return false
		}
		field = true
	}
	return field && j.change.new == ""
}

// escapedError: the old text with each control character, or what package printable
// escapes, written as an escape is the new one.
func escapedError(j *judgement) bool {
	unsafe := regexp.MustCompile(`[\x00-\x09\x0b-\x1f\x7f\p{Cf}\p{Zl}\p{Zp}\p{Co}\x{80}-\x{9f}]`)
	old, new := j.change.old, j.change.new
	if !unsafe.MatchString(old) || unsafe.MatchString(new) {
		return false
	}
	const escape = `\\(?:[uUx]\{[0-9A-Fa-f]+\}|x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8}|[abtnvfr0])`
	pieces := unsafe.Split(old, -1)
	for i := range pieces {
		pieces[i] = regexp.QuoteMeta(pieces[i])
	}
	pattern, err := regexp.Compile(`^` + strings.Join(pieces, escape) + `$`)
	return err == nil && pattern.MatchString(new)
}

// bomIgnored: the present build makes of the input what the reference makes of it
// without its byte order mark.
func bomIgnored(j *judgement) bool {
	rest, found := bytes.CutPrefix(j.input, []byte(bom))
	if !found || len(j.job.items) != 1 {
		return false
	}
	without, err := j.runner.runWith(j.job, rest)
	return err == nil && len(changesBetween(j.job, without, j.new)) == 0
}

// defangWidened: without brackets around single characters and with live schemes
// both are the same, and the new one has more brackets.
func defangWidened(j *judgement) bool {
	c := j.change
	return live(c.old) == live(c.new) && strings.Count(c.new, "[") > strings.Count(c.old, "[")
}

func live(text string) string {
	text = regexp.MustCompile(`\[([^\[\]\s\pL\pN])\]`).ReplaceAllString(text, "$1")
	return regexp.MustCompile(`(?i)\b(?:hxxp|fxp)(s?:)`).ReplaceAllString(text, "http$1")
}

// bareLink matches a link of the alternative to a bare host without www.
var bareLink = regexp.MustCompile(`(?:<bdi>)?<a href="http://([^"/]+)/?">([^<>/:@]+)</a>(?:</bdi>)?`)

// bareHostUnlinked: some links to bare hosts are text, or there is no alternative
// since it had no other link.
func bareHostUnlinked(j *judgement) bool {
	view := decoded(j.old.stdout)
	if bytes.Equal(j.new.stdout, j.input) {
		return bareLink.MatchString(view) && !strings.Contains(bareLink.ReplaceAllString(view, ""), "<a ")
	}
	old, new := j.change.old, j.change.new
	unlinked := 0
	for old != "" {
		at := bareLink.FindStringSubmatchIndex(old)
		if at == nil {
			break
		}
		before, link, text := old[:at[0]], old[at[0]:at[1]], old[at[4]:at[5]]
		rest, found := strings.CutPrefix(new, before)
		if !found || strings.HasPrefix(text, "www.") {
			return false
		}
		switch {
		case strings.HasPrefix(rest, link):
			new = rest[len(link):]
		case strings.HasPrefix(rest, "<bdi>"+text+"</bdi>"):
			new = rest[len("<bdi>"+text+"</bdi>"):]
			unlinked++
		case strings.HasPrefix(rest, text):
			new = rest[len(text):]
			unlinked++
		default:
			return false
		}
		old = old[at[1]:]
	}
	return unlinked > 0 && old == new
}

// lateTags: fields of ours about the header are written although the time was over.
func lateTags(j *judgement) bool {
	return bytes.Contains(j.old.stderr, []byte("deadline")) && j.change.old == "" && j.change.new != "" && onlyOwnFields(j.change.new) &&
		regexp.MustCompile(`part="header:`).Match(j.new.stdout)
}

// tableDetail matches a finding in a table, with its detail.
var tableDetail = regexp.MustCompile(`(?m)^( +(?:info|low|medium|high) +[a-z-]+)(: [a-z-]+)? \(.*\)$`)

// detailInTable: lines of findings are the same without their details.
func detailInTable(j *judgement) bool {
	if slices.Contains(j.job.flags, "json") || slices.Contains(j.job.flags, "mark") {
		return false
	}
	c := j.change
	a, b := tableDetail.ReplaceAllString(c.old, "$1$2"), tableDetail.ReplaceAllString(c.new, "$1$2")
	return a == b && a != c.old && !strings.Contains(a, "partial") && !strings.Contains(a, "unreadable")
}
