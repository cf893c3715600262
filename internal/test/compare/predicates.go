package main

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// webStart matches what may be before a host: a scheme with any slashes, and a user name
// or a local part.
const webStart = `(?i:(?:https?|ftp):[/\\]*|mailto:)?(?:[^\s@]*@)*`

var (
	// linkHost matches a link of a scheme and a host, with a port or without: what a
	// link is when it ends where its host goes on. The root dot may be part of it.
	linkHost = regexp.MustCompile(`^` + webStart + `[^\s/?#@]+\.?$`)
	// goesOn matches the start of what follows such a host: characters that browsers
	// take into the host, that make the host a user name, or that steer what is shown.
	goesOn = regexp.MustCompile("^(?:\\.?[_+~!$&'*=;,%|\\\\^`{}@-]|[\u2018-\u201f\uff00-\uffef\ufffd]|\\pL+\u3002\\pL|\\p{Cf}|\\p{Cc}|\\.{2})")
	// firstHost matches the letters, digits, hyphens and dots of the first host of a text.
	firstHost = regexp.MustCompile(`^(` + webStart + `[\pL\pM\pN-]+(?:\.[\pL\pM\pN-]+)+)(.+)$`)
)

// hostGoesOn: an object became a suspect that holds more of the host, or only
// its kind changed and the host goes on in the input. Links inside the suspect are gone.
func hostGoesOn(j *judgement) bool {
	old, new := j.change.oldObj, j.change.newObj
	if new == nil {
		return slices.ContainsFunc(j.changes, func(c change) bool {
			return c.newObj != nil && c.where == whereObject && becameSuspect(j.input, c.oldObj, c.newObj) && within(old, c.newObj)
		})
	}
	if old != nil && stillThere(old, j.new.stdout) { // another object of the same place
		old = nil
	}
	return becameSuspect(j.input, old, new)
}

// stillThere reports whether an output of JSON has an object.
func stillThere(o object, output []byte) bool {
	all, _ := objects(output)
	return slices.ContainsFunc(all, func(other object) bool {
		return other.text("text") == o.text("text") && other.text("kind") == o.text("kind") && within(other, o)
	})
}

func becameSuspect(input []byte, old, new object) bool {
	if kind := new.text("kind"); kind != "suspect" && (kind != "host" || old.text("kind") != "none") {
		return false
	}
	text := new.text("text") + new.text("input") // of scan, or of explain
	if old == nil || old.text("kind") == "none" {
		start, rest, found := cutHost(text)
		return found && linkHost.MatchString(start) && goesOn.MatchString(rest)
	}
	if start, rest, found := cutHost(text); found && old["length"] != nil && old.number("length") == new.number("length") && !strings.HasPrefix(text, old.text("text")) {
		return linkHost.MatchString(start) && goesOn.MatchString(rest) // a link of HTML by its text
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
	return found && old.text("kind") != "suspect" && goesOn.Match(after)
}

// cutHost cuts a text where the letters, digits, hyphens and dots of its first host end.
func cutHost(text string) (host, rest string, found bool) {
	m := firstHost.FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// fullWidthHost: what is before a full-width character belongs to the host: a link
// ends as another one did and begins before such a character.
func fullWidthHost(j *judgement) bool {
	c := j.change
	if c.oldObj != nil && c.newObj != nil {
		return c.newObj.text("kind") == c.oldObj.text("kind") && fullWidthBefore(c.newObj.text("text"), c.oldObj.text("text"))
	}
	if c.oldObj == nil && c.newObj.text("kind") == "url" && fullWidth.MatchString(c.newObj.text("text")) {
		return true
	}
	return slices.ContainsFunc(j.changes, func(other change) bool {
		old, new := c.oldObj, other.newObj
		if old == nil {
			old, new = other.oldObj, c.newObj
		}
		return old != nil && new != nil && fullWidthBefore(new.text("text"), old.text("text")) && within(old, new)
	})
}

func fullWidthBefore(whole, end string) bool {
	start, found := strings.CutSuffix(whole, end)
	last, _ := utf8.DecodeLastRuneInString(start)
	return found && '\uff00' <= last && last <= '\uffef'
}

// within reports whether an object of scan lies in the range of another.
func within(inner, outer object) bool {
	start := inner.number("offset")
	end := start + inner.number("length")
	return inner.text("part") == outer.text("part") && inner.text("file") == outer.text("file") && inner.text("kind") != "message" &&
		start >= outer.number("offset") && end <= outer.number("offset")+outer.number("length")
}

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
	invalid-quoted-printable nul bare-cr message-too-large too-many-links deadline html-too-long html-too-complex link-too-long`)

// chosenSomewhere matches a reason of those in the output of scan.
var chosenSomewhere = regexp.MustCompile(`(?:"detail":"|(?:partial|unreadable) \()(?:` + strings.Join(chosenReasons, "|") + `)["),]`)

// mayBe reports whether a finding about reading may have become so severe: low, or
// medium where a sender chose the reason of this or of another part.
func mayBe(before, after, reason string, output []byte) bool {
	if after == "medium" {
		return before != "high" && chosenSomewhere.Match(output)
	}
	return before == "info" && after == "low" && !slices.Contains(chosenReasons, reason)
}

// readingSeverity: of an object about a message only the severity of partial or
// unreadable is another.
func readingSeverity(j *judgement) bool {
	old, new := j.change.oldObj, j.change.newObj
	before, after := findings(old), findings(new)
	if old.text("kind") != "message" || len(before) != 1 || len(after) != 1 || !keepsDetail(before[0]) {
		return false
	}
	a, b := before[0], after[0]
	return mayBe(a.text("severity"), b.text("severity"), a.text("detail"), j.new.stdout) &&
		a.text("code") == b.text("code") && a.text("label") == b.text("label") && a.text("detail") == b.text("detail")
}

// readingLine matches such a finding in a table.
var readingLine = regexp.MustCompile(`(?m)^( +)(info|low|medium)(: (?:partial|unreadable) \(([a-z0-9-]+)\))$`)

// readingInTable: of lines of a table only the severity of partial or unreadable is
// another.
func readingInTable(j *judgement) bool {
	old, new := j.change.old, j.change.new
	if slices.Contains(j.job.flags, "json") || readingLine.ReplaceAllString(old, "$1$3") != readingLine.ReplaceAllString(new, "$1$3") {
		return false
	}
	before, after := readingLine.FindAllStringSubmatch(old, -1), readingLine.FindAllStringSubmatch(new, -1)
	for i := range after {
		if before[i][2] != after[i][2] && !mayBe(before[i][2], after[i][2], after[i][4], j.new.stdout) {
			return false
		}
	}
	return len(after) > 0
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

// linkTooLong: a very long suspect, in place of the same link or of nothing, cut to its
// host; or the reason link-too-long. Links inside it are gone.
func linkTooLong(j *judgement) bool {
	old, new := j.change.oldObj, j.change.newObj
	if new == nil {
		return slices.ContainsFunc(j.changes, func(c change) bool {
			return c.newObj != nil && c.where == whereObject && becameTooLong(c.oldObj, c.newObj) && within(old, c.newObj)
		})
	}
	if new.text("kind") == "message" {
		all := findings(new)
		return old == nil && len(all) == 1 && keepsDetail(all[0]) && all[0].text("detail") == "link-too-long"
	}
	return becameTooLong(old, new)
}

func becameTooLong(old, new object) bool {
	long := max(new.number("length"), len(new.text("input"))) >= longLink
	return long && new.text("kind") == "suspect" && (old == nil || strings.HasPrefix(old.text("text")+old.text("input"), new.text("text")+new.text("input")))
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
// without its byte order mark, but for what else is allowed.
func bomIgnored(j *judgement) bool {
	rest, found := bytes.CutPrefix(j.input, []byte(bom))
	if !found || len(j.job.items) != 1 {
		return false
	}
	before, err := j.runner.runWith(j.job, rest)
	if err != nil {
		return false
	}
	after := j.new
	after.stdout = bytes.TrimPrefix(after.stdout, []byte(bom)) // an edited message keeps it
	d := difference{job: j.job, input: rest, old: before, new: after, changes: changesBetween(j.job, before, after)}
	j.explain(&d)
	return d.explained()
}

// defangWidened: without brackets around single characters and with live schemes
// both are the same, and the new one has more brackets.
func defangWidened(j *judgement) bool {
	c := j.change
	return live(c.old) == live(c.new) && strings.Count(c.new, "[") > strings.Count(c.old, "[")
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

// textTarget: of a link only the finding that its text names another host differs: that
// host goes on, or is behind a user name with a full-width character.
func textTarget(j *judgement) bool {
	old, new := j.change.oldObj, j.change.newObj
	if new == nil {
		return false
	}
	const code = "text-target-mismatch"
	others := func(o object) string {
		var b strings.Builder
		for _, f := range findings(o) {
			if f.text("code") != code {
				b.WriteString(asJSON(f))
			}
		}
		return b.String()
	}
	if others(old) != others(new) || old != nil && !onlyFields(j.change, "findings") {
		return false
	}
	return slices.ContainsFunc(slices.Concat(findings(old), findings(new)), func(f object) bool {
		_, rest, _ := cutHost(f.text("label"))
		_, after, _ := strings.Cut(decoded(j.input), f.text("label"))
		return f.text("code") == code && (goesOn.MatchString(after) || goesOn.MatchString(rest) || fullWidth.MatchString(f.text("label")) || regexp.MustCompile(`[\x{ff00}-\x{ffef}][^\s/?#]*@`+regexp.QuoteMeta(f.text("label"))).MatchString(decoded(j.input)))
	})
}

// meantByNobody matches a bare host in capitals, or whose last label is the suffix of
// names of files.
var meantByNobody = regexp.MustCompile(`^(?:[^\s:@/?#]*\p{Lu}[^\s:@/?#]*|[^\s:@/?#]+\.(?:md|py|zip))(?:$|[/?#])`)

// nameShown: a bare host that nobody meant as a link is displayed as typed.
func nameShown(j *judgement) bool {
	new := j.change.newObj
	return new != nil && new.text("display") == new.text("text") && meantByNobody.MatchString(new.text("text"))
}

// forgedNUL: a message with a forged field that holds NUL is read: the field is not ours.
func forgedNUL(j *judgement) bool {
	old := j.change.oldObj
	return j.change.newObj == nil && old.text("kind") == "message" && strings.HasSuffix(reasonOf(old), " nul") &&
		regexp.MustCompile(`(?mi)^X-Linkmilter(?:-Finding)?\s*:[^\n]*\x00`).Match(j.input)
}

// moreForged: a message has more forged fields than can be removed, since more are read
// as ours.
func moreForged(j *judgement) bool {
	return j.change.oldObj == nil && reasonOf(j.change.newObj) == "forged-field" &&
		slices.ContainsFunc(ownFields(j.input), func(f string) bool { return !plainID.MatchString(f) })
}

// withinLimit: a link beyond too many is found, since others became one suspect; there
// may be too many no longer.
func withinLimit(j *judgement) bool {
	old := j.change.oldObj
	return (old == nil || j.change.newObj == nil && strings.HasSuffix(reasonOf(old), " too-many-links")) &&
		bytes.Contains(j.old.stdout, []byte(`"detail":"too-many-links"`)) &&
		slices.ContainsFunc(j.changes, func(c change) bool { return c.newObj != nil && becameSuspect(j.input, c.oldObj, c.newObj) })
}

// fullWidth matches a full-width character before a query.
var fullWidth = regexp.MustCompile(`^[^?#]*[\x{ff00}-\x{ffef}]`)

// fullWidthExplained: a full-width character in a host or a user name counts as what
// it is mapped to: a bare host with one is a link, a user name with one is worse.
func fullWidthExplained(j *judgement) bool {
	old, new := j.change.oldObj, j.change.newObj
	if old == nil || new == nil || !fullWidth.MatchString(new.text("input")) {
		return false
	}
	userinfo := func(o object, severity string) bool {
		return slices.ContainsFunc(findings(o), func(f object) bool { return f.text("code") == "userinfo" && f.text("severity") == severity })
	}
	kinds := old.text("kind") + " " + new.text("kind")
	return kinds == "host url" || kinds == "url suspect" && len(findings(new)) > 0 && strings.Contains(new.text("input"), "@") ||
		old.text("kind") == new.text("kind") && userinfo(old, "medium") && userinfo(new, "high")
}

// listens: check-config says what it would listen on.
func listens(j *judgement) bool {
	return j.change.old == "" && regexp.MustCompile(`^(?:listens for (?:milter|smtp|metrics|content filter) \S+\n)+$`).MatchString(j.change.new)
}
