package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"html"
	"regexp"
	"slices"
	"strings"
)

// errUnexplained says that another command differs by what is not allowed.
var errUnexplained = errors.New("unexplained")

// asJSONObjects runs the inputs through a command of both builds with JSON for output. The
// error says that it differs by what is not allowed.
func (j *judgement) asJSONObjects(command string, flags ...string) *comparison {
	if j.scanned != nil {
		return j.scanned
	}
	other := j.job
	other.command, other.flags = command, append(flags, configOf(j.job.flags)...)
	c := &comparison{}
	var errs [2]error
	c.old, errs[0] = j.runner.runWith(other, j.input) // which may lack its byte order mark
	c.new, errs[1] = j.runner.run(present, other.args(), other.stdin())
	d := difference{job: other, input: j.input, old: c.old, new: c.new, changes: changesBetween(other, c.old, c.new)}
	j.explain(&d)
	if c.err = errors.Join(errs[:]...); c.err == nil && !d.explained() {
		c.err = errUnexplained
	}
	c.changes = d.changes
	j.scanned = c
	return c
}

// asObjects: the same command differs as JSON, too, and there each change is allowed.
func asObjects(j *judgement) bool {
	flags := []string{"--json"}
	if j.job.command == "scan" {
		flags = []string{"--format", "json"}
		if slices.Contains(j.job.flags, "--text") {
			flags = append(flags, "--text")
		}
	}
	if j.runner == nil || slices.Contains(j.job.flags, "json") || slices.Contains(j.job.flags, "--json") {
		return false
	}
	c := j.asJSONObjects(j.job.command, flags...)
	return c.err == nil && len(c.changes) > 0
}

// configOf returns the flag of the configuration and its value.
func configOf(flags []string) []string {
	if i := slices.Index(flags, "--config"); i >= 0 && i+1 < len(flags) {
		return flags[i : i+2]
	}
	return nil
}

// anyOwnField is a field with one of our names, whoever wrote it, with its folded lines.
var anyOwnField = regexp.MustCompile(`(?mi)^X-Linkmilter(?:-Finding)?[ \t]*:.*\n(?:[ \t].*\n)*`)

// plainID matches a field of ours as linkmilter writes it.
var plainID = regexp.MustCompile(`^X-Linkmilter(?:-Finding)?: [A-Za-z0-9_.-]+;`)

// ownFields returns all such fields of a message, unfolded and without wording.
func ownFields(message []byte) []string {
	fields := anyOwnField.FindAllString(string(message[:headerEnd(message)]), -1)
	for i := range fields {
		fields[i] = strings.TrimRight(withoutDetail(fields[i]), "\r\n")
	}
	return fields
}

// without returns what is in a and not in b, as often as it is there.
func without(a, b []string) []string {
	rest := slices.Clone(b)
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool {
		i := slices.Index(rest, s)
		if i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		}
		return i >= 0
	})
}

// ownFieldsFollow: fields of ours differ as what scan finds does: each finding is one of
// scan, and scan differs by what is allowed only. Fields of strangers with our id in an
// odd form are gone, or stay in trusted mail.
func ownFieldsFollow(j *judgement) bool {
	c := j.change
	if c.where == whereLine && (!onlyAnyOwnFields(c.old) || !onlyAnyOwnFields(c.new)) || j.runner == nil {
		return false
	}
	scan := j.asJSONObjects("scan", "--format", "json")
	if scan.err != nil {
		return false
	}
	before, after, typed := ownFields(j.old.stdout), ownFields(j.new.stdout), ownFields(j.input)
	if slices.ContainsFunc(after, func(f string) bool { return strings.Contains(f, "; code=forged-field;") }) {
		typed = slices.DeleteFunc(typed, func(f string) bool { return !slices.Contains(after, f) }) // too many to be removed: all stay
		after = without(after, typed)
		before = without(before, typed)
	}
	wrong := func(fields []string, scan outcome, said []byte, all []string) bool {
		return slices.ContainsFunc(fields, func(f string) bool { return !odd(f, typed) && !follows(f, scan.stdout, said, all) })
	}
	return !wrong(without(before, after), scan.old, j.old.stderr, before) && !wrong(without(after, before), scan.new, j.new.stderr, after)
}

// odd reports whether a field is one of a stranger that linkmilter would not write so.
func odd(field string, typed []string) bool {
	return slices.Contains(typed, field) && !summaryField.MatchString(field) && !codeParameter.MatchString(field)
}

// summaryField matches the field about the whole message.
var summaryField = regexp.MustCompile(`^X-Linkmilter: [^;]+; action=[a-z]+; worst=([a-z]+); findings=[0-9]+;`)

// These match the code and the severity of a field, and the reason of reading.
var (
	codeParameter    = regexp.MustCompile(` code=([a-z-]+); severity=([a-z]+)`)
	readingParameter = regexp.MustCompile(` detail="([a-z0-9-]+)[",]`)
)

// follows reports whether a field says what scan found and the command said, and the
// field about the message what the others say.
func follows(field string, scan, said []byte, all []string) bool {
	if m := summaryField.FindStringSubmatch(field); m != nil {
		return m[1] == "none" || slices.ContainsFunc(all, func(f string) bool { return strings.Contains(f, "; severity="+m[1]) })
	}
	m := codeParameter.FindStringSubmatch(field)
	if m == nil {
		return false
	}
	if reason := readingParameter.FindStringSubmatch(field); m[1] == "partial" || m[1] == "unreadable" {
		return reason != nil && regexp.MustCompile(`(?:partial|unread) \([^()]*`+reason[1]+`[,)]`).Match(said)
	}
	return m[1] == "forged-field" || bytes.Contains(scan, []byte(`"code":"`+m[1]+`","severity":"`+m[2]+`"`))
}

// onlyAnyOwnFields reports whether a text is fields with one of our names, or empty.
// A piece of a folded one may come first.
func onlyAnyOwnFields(text string) bool {
	for line := range strings.Lines(text) {
		if !anyOwnField.MatchString(line) && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") {
			return false
		}
	}
	return true
}

// anchor matches a link of the alternative.
var anchor = regexp.MustCompile(`<a href="([^"]*)">`)

// anchorsFollow: of the alternative only links differ, and they are of hosts that
// nobody meant, or do not differ without what scan allows.
func anchorsFollow(j *judgement) bool {
	if j.runner == nil || onlyAnyOwnFields(j.change.old) && onlyAnyOwnFields(j.change.new) {
		return false
	}
	if bytes.Contains(j.new.stderr, []byte("not edited (link-too-long)")) {
		return bytes.Equal(bodyOf(j.new.stdout), bodyOf(j.input))
	}
	before, after := decoded(j.old.stdout), decoded(j.new.stdout)
	if withoutAnchors(before) != withoutAnchors(after) && !bytes.Equal(bodyOf(j.new.stdout), bodyOf(j.input)) {
		return false
	}
	scan := j.asJSONObjects("scan", "--format", "json")
	if scan.err != nil {
		return false
	}
	if len(scan.changes) > 0 && len(hrefs(before)) == len(hrefs(after)) && slices.Equal(hrefs(before), hrefs(after)) {
		return true // a text is shown as typed, or a full-width host as what it is mapped to
	}
	gone, come := without(hrefs(before), hrefs(after)), without(hrefs(after), hrefs(before))
	return len(gone)+len(come) > 0 &&
		!slices.ContainsFunc(gone, func(h string) bool { return !bareHref.MatchString(h) && !onlyIn(h, scan.old, scan.new) }) &&
		!slices.ContainsFunc(come, func(h string) bool { return !onlyIn(h, scan.new, scan.old) })
}

// bareHref matches the target of a bare host.
var bareHref = regexp.MustCompile(`^http://[^/?#@]+/?$`)

// hrefs returns the targets of the links of an alternative.
func hrefs(view string) []string {
	var all []string
	for _, m := range anchor.FindAllStringSubmatch(view, -1) {
		all = append(all, html.UnescapeString(m[1]))
	}
	return all
}

// onlyIn reports whether the objects of one output have a target more often than
// those of another.
func onlyIn(href string, one, other outcome) bool {
	count := func(output []byte) int {
		all, _ := objects(output)
		return len(slices.DeleteFunc(all, func(o object) bool { return o.text("href") != href }))
	}
	return count(one.stdout) > count(other.stdout)
}

// boundary matches a boundary of linkmilter.
var boundary = regexp.MustCompile(`[0-9a-f]{24}=_lm`)

// ownEncoding matches the encoding that linkmilter chooses by size, and line ends.
var ownEncoding = regexp.MustCompile(`(?:Content-Transfer-Encoding: (?:quoted-printable|base64))?(?:\r?\n)+`)

// withoutAnchors returns a message without our fields, links and what marks them.
func withoutAnchors(view string) string {
	view = anyOwnField.ReplaceAllString(view, "")
	view = ownEncoding.ReplaceAllString(view, "\n")
	view = boundary.ReplaceAllString(anchorTags.ReplaceAllString(live(view), ""), "boundary")
	return unescaped(strings.Map(narrow, view))
}

// narrow returns the ASCII character of a full-width one.
func narrow(r rune) rune {
	if '\uff01' <= r && r <= '\uff5e' {
		return r - 0xfee0
	}
	return r
}

var percentEscape = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// unescaped decodes each percent escape.
func unescaped(text string) string {
	return percentEscape.ReplaceAllStringFunc(text, func(escape string) string {
		octet, _ := hex.DecodeString(escape[1:])
		return string(octet)
	})
}

// bodyOf returns what follows the header.
func bodyOf(message []byte) []byte { return message[headerEnd(message):] }

// fewerLinks: the reference found too many links, and scan differs by what is allowed.
func fewerLinks(j *judgement) bool {
	return j.runner != nil && bytes.Contains(j.old.stderr, []byte("not edited (too-many-links)")) && bytes.Contains(j.new.stderr, []byte(": edited: ")) &&
		j.asJSONObjects("scan", "--format", "json").err == nil
}
