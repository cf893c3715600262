package mime

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	stdmultipart "mime/multipart"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
)

// seeds are messages of many forms.
func seeds(t testing.TB) []string {
	t.Helper()
	messages := []string{
		"", "\n", "hello", "A: b\n\nbody", nested, crlf(nested), deep(3), deep(25),
		mixed + "--b\n\none\n--b--\n", mixed + "--b\n--b\n\n\n--b \nA: b\n\n\n--b--\n--b--\n",
		mixed + "--b\n" + mixed + "--b\n\none\n--b--\n--b--\n", mixed + "--b\r\n\r\none\n--bc\r--b\n--b-- x",
		"From x\nContent-Type : text/plain (a) ; charset*0=utf-8; name=a b; name=c\n \nX\n\n\x00\xff\r",
		utf8Type + qpField + "\ngr=C3=BC=\nsse", utf8Type + b64Field + "\nZ3LDvMOfZQ==",
		"Content-Type: text/plain; charset=iso-2022-jp; format=flowed; delsp=yes\n\n\x1b$B$\"\x1b(B \n> a \n>> b\n-- \n",
		"Content-Type: text/plain; charset=gb18030\n" + eightBit + "\n\x84\x31\xa4\x37",
		"Content-Type: text/plain; charset=utf-16\n" + b64Field + "\n/v8AYQ==",
		"A: b\nFrom : c\n\nbody\n",
		mixed + strings.Repeat("long ", 3500) + "\n--b\n\none\n--b--\n",
	}
	files, err := filepath.Glob("testdata/alternative/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no goldens, %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, string(archive.Files[1].Data), string(archive.Files[3].Data), crlf(string(archive.Files[3].Data)))
	}
	return append(messages, samples(t)...)
}

// samples are the sample messages of package filter.
func samples(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../testdata/messages/*.eml")
	if err != nil || len(files) < 80 {
		t.Fatalf("%d sample messages, %v", len(files), err)
	}
	var messages []string
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, string(raw))
	}
	return messages
}

func FuzzParse(f *testing.F) {
	for _, seed := range seeds(f) {
		f.Add([]byte(seed))
	}
	for _, n := range []int{4094, 4095, 4096} { // with its line end, about as long as the buffer of the standard library
		f.Add([]byte(strings.ReplaceAll(mixed+strings.Repeat("x", n)+"\n--b\n\ntext\n--b--\n", "\n", "\r\n")))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m := parse(raw, Limits{Depth: 5, Parts: 20, HeaderBytes: 2000})
		checkRanges(t, m)
		for leaf := range m.Leaves() {
			checkText(t, m, leaf)
			if inner, err := embedded(m, leaf); err == nil {
				checkRanges(t, inner)
			}
		}
		if len(m.Problems) == 0 && m.Root.boundary != "" {
			compareWithStd(t, m, m.Root)
		}
		cut := parsePrefix(raw[:len(raw)/2], Limits{Depth: 5, Parts: 20, HeaderBytes: 2000})
		checkRanges(t, cut)
		for leaf := range cut.Leaves() {
			checkText(t, cut, leaf)
		}
	})
}

// checkText checks that what Text returns is text.
func checkText(t testing.TB, m *Message, leaf *Part) {
	t.Helper()
	text, err := m.leafText(leaf)
	if err != nil {
		if reason := Reason(""); !errors.As(err, &reason) || reason == "" {
			t.Fatalf("error without a reason: %v", err)
		}
		return
	}
	for _, s := range []string{text.content, text.unflowed()} {
		if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool {
			return r < ' ' && !strings.ContainsRune("\t\r\n\f", r) || 0x80 <= r && r < 0xA0
		}) || bareCR([]byte(s)) >= 0 {
			t.Fatalf("no text: %q", s)
		}
	}
}

// compareWithStd reads a multipart of a message without problems with the standard library, and
// compares where parts begin and end.
func compareWithStd(t testing.TB, m *Message, p *Part) {
	t.Helper()
	body := m.Body(p)
	// The standard library expects the line end of the first delimiter everywhere, and an empty
	// line in each part. It accepts only tokens as names of fields.
	if bytes.Contains(bytes.ReplaceAll(m.Raw, []byte("\r\n"), nil), []byte("\n")) && bytes.Contains(m.Raw, []byte("\r")) {
		return
	}
	r := stdmultipart.NewReader(bytes.NewReader(body), p.boundary)
	for _, child := range p.children {
		if !child.blank {
			return
		}
		std, err := r.NextRawPart()
		if err != nil && strings.Contains(err.Error(), "malformed MIME header") || tooLongForStd(err, body) {
			return
		}
		if err != nil {
			t.Fatalf("part %s: %v", child.Number, err)
		}
		got, err := io.ReadAll(std)
		if err != nil {
			t.Fatalf("part %s: %v", child.Number, err)
		}
		if !bytes.Equal(got, m.Body(child)) {
			t.Fatalf("part %s is %q, standard library says %q", child.Number, m.Body(child), got)
		}
		if child.boundary != "" {
			compareWithStd(t, m, child)
		}
	}
	if _, err := r.NextRawPart(); err != io.EOF && !tooLongForStd(err, body) {
		t.Fatalf("standard library finds a part behind the last of %s: %v", p.Number, err)
	}
}

// tooLongForStd reports whether the standard library gave up a multipart because a line outside its
// parts does not fit into its buffer, and body has such a line.
func tooLongForStd(err error, body []byte) bool {
	return errors.Is(err, bufio.ErrBufferFull) && longest(body)+len("\r\n") > 4<<10
}

// fuzzPlan makes a plan from the bytes choices: alternatives for leaves that can have one, and
// edits of the header.
func fuzzPlan(m *Message, html string, choice uint64) Plan {
	var plan Plan
	next := func(n int) int {
		c := int(choice % uint64(n))
		choice /= uint64(n)
		return c
	}
	for leaf := range m.Leaves() {
		if n := next(4); n > 1 {
			fuzzRewrite(m, &plan, leaf, next)
		}
		if next(4) > 0 {
			_ = m.AddAlternative(&plan, leaf, sourceOf(html)) // an error if the leaf can have none
		}
	}
	used := make(map[int]bool)
	for _, e := range plan.Header {
		used[e.Field] = e.Op == OpChange || e.Op == OpDelete
	}
	for i, f := range m.Root.Fields {
		if used[i] || decisive(f.Name) || len(f.Name) > 900 || choice == 0 {
			continue
		}
		switch next(3) {
		case 0:
			plan.Header = append(plan.Header, HeaderEdit{Op: OpDelete, Field: i})
		case 1:
			plan.Header = append(plan.Header, HeaderEdit{Op: OpChange, Field: i, Value: strings.Repeat("word ", next(40))})
		}
	}
	for range next(3) {
		plan.Header = append(plan.Header, HeaderEdit{Op: OpInsert, Name: "X-Top", Value: "1"}, HeaderEdit{Op: OpAdd, Name: "X-End", Value: "2"})
	}
	return plan
}

// fuzzRewrite plans to replace some words of a text, if the text may be edited.
func fuzzRewrite(m *Message, plan *Plan, leaf *Part, next func(int) int) {
	text, err := m.leafText(leaf)
	if err != nil {
		return
	}
	content := text.unflowed()
	var edits []Edit
	pos := 0
	for word := range strings.FieldsFuncSeq(content, func(r rune) bool { return strings.ContainsRune(" \t\r\n\f>", r) }) {
		pos += strings.Index(content[pos:], word)
		if n := next(3); n > 0 {
			edits = append(edits, Edit{pos, pos + len(word), []byte([]string{"word", "wörtchen", "मह\u0924"}[n])})
		}
		pos += len(word)
	}
	_ = m.RewriteText(plan, leaf, edits)
}

// checkPlan checks the invariants of Apply and Verify.
func checkPlan(t testing.TB, m *Message, plan Plan, damage int) {
	t.Helper()
	edited, bodyStart, err := m.Apply(plan)
	switch {
	case err != nil && bytes.HasSuffix(m.headerBytes(m.Root), []byte("\r")):
		wantPlanReason(t, err, reasonBareCR)
		return
	case err != nil && looksLikeMbox(m, plan):
		wantPlanReason(t, err, reasonMboxFrom)
		return
	case err != nil && editsCutField(m, plan):
		wantPlanReason(t, err, reasonHeaderTooLarge)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if plan.Empty() && !bytes.Equal(edited, m.Raw) {
		t.Fatal("an empty plan changed the message") // I1
	}
	if err := m.Verify(plan, edited); err != nil && bareEnds(m.headerBytes(m.Root), m.eol()) > 0 && !plan.Empty() {
		wantPlanReason(t, err, reasonVerify) // a field with a bare CR or LF would be written again
		return
	} else if err != nil {
		t.Fatalf("%v in %.500q", err, edited)
	}
	// I2: without the edits, the body is the same as before.
	var body []byte
	pos := bodyStart
	from := m.Root.bodyStart
	for _, e := range plan.Body {
		keep := e.Start - from
		body = append(body, edited[pos:pos+keep]...)
		body = append(body, m.Raw[e.Start:e.End]...)
		pos += keep + len(e.New)
		from = e.End
	}
	body = append(body, edited[pos:]...)
	if want := m.Body(m.Root); !bytes.Equal(body, want) && (m.Root.blank || !bytes.HasSuffix(body, want)) {
		t.Fatalf("body %q became %q", want, body)
	}
	// I5: the parser sees that a leaf has an alternative now.
	found := 0
	for leaf := range parse(edited, Limits{}).Leaves() {
		around := leaf.parent
		if around != nil && around.MediaType == "multipart/alternative" && around.children[0] == leaf && around.children[len(around.children)-1].MediaType == "text/html" {
			found++
		}
	}
	if found < len(plan.alternatives) {
		t.Fatalf("%d alternatives, %d found", len(plan.alternatives), found)
	}
	if len(edited) > 0 {
		at := damage % len(edited)
		bad := bytes.Clone(edited)
		bad[at] ^= 0x20
		if m.Verify(plan, bad) == nil {
			t.Fatalf("damage at %d of %.500q passes", at, edited)
		}
		checkDamagedStructure(t, m, plan, bad, at, bodyStart)
	}
}

// looksLikeMbox reports whether the first line that a plan keeps is that of no ordinary field, so
// that it may look like the first line of an mbox file.
func looksLikeMbox(m *Message, plan Plan) bool {
	if slices.ContainsFunc(plan.Header, func(e HeaderEdit) bool { return e.Op == OpInsert }) {
		return false
	}
	first := 0
	for slices.ContainsFunc(plan.Header, func(e HeaderEdit) bool { return e.Op == OpDelete && e.Field == first }) {
		first++
	}
	start := m.Root.bodyStart
	if first < len(m.Root.Fields) {
		start = m.Root.Fields[first].start
	}
	return first > 0 && bytes.HasPrefix(m.Raw[start:], []byte("From "))
}

// editsCutField reports whether a plan edits the last field that was read of a header above its
// limit, and that field goes on beyond the limit.
func editsCutField(m *Message, plan Plan) bool {
	last := len(m.Root.Fields) - 1
	if last < 0 || !m.doubtful(reasonHeaderTooLarge) {
		return false
	}
	rest := string(m.Raw[m.Root.Fields[last].end:])
	return strings.TrimLeft(rest, " \t") != rest &&
		slices.ContainsFunc(plan.Header, func(e HeaderEdit) bool { return (e.Op == OpDelete || e.Op == OpChange) && e.Field == last })
}

// checkDamagedStructure damages the body of a leaf, and checks that a reader of the parts sees it,
// too.
func checkDamagedStructure(t testing.TB, m *Message, plan Plan, bad []byte, at, bodyStart int) {
	t.Helper()
	good := bytes.Clone(bad)
	good[at] ^= 0x20
	for leaf := range parse(good, Limits{Depth: 50, Parts: 1000, HeaderBytes: len(good) + 1}).Leaves() {
		if len(plan.rewrites) > 0 && (leaf.encoding == "base64" || leaf.encoding == "quoted-printable") {
			continue // both have the same text, such as "=C3" and "=c3"
		}
		if leaf.bodyStart <= at && at < leaf.end && leaf.MediaType != "text/html" && !leaf.isMultipart() {
			if m.verifyStructure(plan, bad, bodyStart) == nil {
				t.Fatalf("damage at %d in part %s of %.500q passes", at, leaf.Number, good)
			}
		}
	}
}

func FuzzApply(f *testing.F) {
	for i, seed := range seeds(f) {
		f.Add([]byte(seed), "<p>grüße</p>\n", uint64(i)*7919, i*31)
	}
	// With the first field deleted.
	f.Add([]byte("Received: by mx.example.org\r\nFrom a:@example.org\r\n"+crlf(mixed)), "<p>e</p>", uint64(301111), 1331)
	var inputs, planned atomic.Int64
	f.Cleanup(func() {
		f.Logf("%d of %d inputs had a plan that was not empty", planned.Load(), inputs.Load())
	})
	f.Fuzz(func(t *testing.T, raw []byte, html string, choice uint64, damage int) {
		m := parse(raw, Limits{Depth: 5, Parts: 20, HeaderBytes: 2000})
		checkPlan(t, m, Plan{}, max(damage, 0))
		plan := fuzzPlan(m, html, choice)
		inputs.Add(1)
		if !plan.Empty() {
			planned.Add(1)
		}
		checkPlan(t, m, plan, max(damage, 0))
	})
}

// TestCorpusIsEdited fails when few of the messages made for editing get an
// TestCorpusIsEdited: most of the messages that are made for editing get an alternative, so the
// fuzz targets do not pass without edits.
func TestCorpusIsEdited(t *testing.T) {
	files, err := filepath.Glob("testdata/alternative/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	planned := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, raw := range []string{string(archive.Files[1].Data), crlf(string(archive.Files[1].Data))} {
			m := parse([]byte(raw), Limits{})
			plan := fuzzPlan(m, string(archive.Files[2].Data), 1<<40-1)
			checkPlan(t, m, plan, 0)
			if len(plan.alternatives) > 0 {
				planned++
			}
		}
	}
	t.Logf("%d of %d messages got an alternative", planned, 2*len(files))
	if planned < 2*len(files)*30/100 {
		t.Errorf("only %d of %d messages got an alternative", planned, 2*len(files))
	}
}
