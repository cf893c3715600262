package mime

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestOnlyEditedLinesChange has HTML of a mail program for phones, in quoted-printable with long
// lines. Once, an edit of one link encoded the whole part again, also commas far from the link.
func TestOnlyEditedLinesChange(t *testing.T) {
	const link = "%E0%A4%AE%E0%A4%B9"
	const before = "<p>Hello=2C dear =\nreader=2C this =3D is=09long=2E</p><p><a hr=\nef=3D\"https://example.org/" +
		link + "\">https://exam=\nple.org/" + link + "</a> and mo=\nre=2C =46rom here</p>\n=2E\nend=2C\n"
	const after = "<p>Hello=2C dear =\nreader=2C this =3D is=09long=2E</p><p><a hr=\nef=3D\"https://example.org/" +
		link + "\">https://exam=\nple.org/=E0=A4=AE=E0=A4=B9</a> and mo=\nre=2C =46rom here</p>\n=2E\nend=2C\n"
	for _, eol := range []string{"\n", "\r\n"} {
		header := "MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
		raw := strings.ReplaceAll(header+before, "\n", eol)
		m := parse([]byte(raw), Limits{})
		leaf := part(t, m, "1")
		text, err := m.Text(leaf)
		if err != nil {
			t.Fatal(err)
		}
		at := strings.LastIndex(text, link)
		var plan Plan
		if err := m.RewriteText(&plan, leaf, []Edit{{at, at + len(link), []byte("मह")}}); err != nil {
			t.Fatal(err)
		}
		edited, start, err := m.Apply(plan)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := string(edited[start:]), strings.ReplaceAll(after, "\n", eol); got != want {
			t.Errorf("got\n%q, want\n%q", got, want)
		}
		if err := m.Verify(plan, edited); err != nil {
			t.Error(err)
		}
	}
}

// TestEditedLineStaysShort: if a line has no room for the edit, the new text gets lines of its own.
// White space at the end of a line is encoded, and no line begins like that of an mbox file.
func TestEditedLineStaysShort(t *testing.T) {
	long := strings.Repeat("x", 70)
	for _, test := range []struct{ name, body, old, new, want string }{
		{"no room for the new text", long + "OLD</b>\n", "OLD", "0123456789", long + "01234=\n56789</b>\n"},
		{"no room for the rest", "OLD" + long + "</b>\n", "OLD", "0123456789", "0123456789=\n" + long + "</b>\n"},
		{"no room before a soft break", "OLD" + long + "=\n</b>\n", "OLD", "01234567", "01234567=\n" + long + "=\n</b>\n"},
		{"a space at the end", "a OLD\nb\n", "OLD", "", "a=20\nb\n"},
		{"a new space at the end", "a OLD \nb\n", "OLD", "c ", "a c=20 \nb\n"},
		{"a space before a soft break", "a OLD=\nb\n", "OLD", "", "a =\nb\n"},
		{"nothing left", "a=\nOLD=\nb\n", "OLD", "", "a=\n=\nb\n"},
		{"From of pieces", "FrOLD me\n", "OLD", "om", "=46rom me\n"},
		{"an escape goes whole", "=41OLD=42\n", "OLD", "ü", "=41=C3=BC=42\n"},
	} {
		m := parse([]byte("MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"+test.body), Limits{})
		leaf := part(t, m, "1")
		text, err := m.Text(leaf)
		if err != nil {
			t.Fatal(err)
		}
		var plan Plan
		if err := m.RewriteText(&plan, leaf, textEdits(t, text, test.old, test.new)); err != nil {
			t.Fatal(err)
		}
		edited, start, err := m.Apply(plan)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(edited[start:]); got != test.want {
			t.Errorf("%s: got\n%q, want\n%q", test.name, got, test.want)
		}
		if err := m.Verify(plan, edited); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// TestGeneratedLinesStay edits links in parts that programs encode in many ways. Each line of the
// body that the edit does not touch must be there afterwards, in order.
func TestGeneratedLinesStay(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	edited, shortened := 0, 0
	for range 2000 {
		html := generatedHTML(random)
		encoding := []string{"quoted-printable", "base64"}[random.IntN(2)]
		eol := []string{"\n", "\r\n"}[random.IntN(2)]
		html = strings.ReplaceAll(html, "\n", eol)
		header := strings.ReplaceAll("MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: "+encoding+"\n\n", "\n", eol)
		var body string
		var lineOf []int // the line of each byte of html
		if encoding == "base64" {
			body, lineOf = base64ByHand(random, html, eol)
		} else {
			body, lineOf = quotedByHand(random, html, eol)
		}
		m := parse([]byte(header+body), Limits{})
		leaf := part(t, m, "1")
		text, err := m.Text(leaf)
		if err != nil || text != html {
			t.Fatalf("%v: %q, want %q", err, text, html)
		}
		edits := generatedEdits(random, html)
		if len(edits) == 0 {
			continue
		}
		var plan Plan
		if err := m.RewriteText(&plan, leaf, edits); err != nil {
			t.Fatal(err)
		}
		got, start, err := m.Apply(plan)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Verify(plan, got); err != nil {
			t.Fatalf("%v\n%s", err, got)
		}
		edited++
		touched := make(map[int]bool)
		for _, e := range edits {
			for i := e.Start; i < min(e.End+len("</a>"), len(lineOf)); i++ {
				touched[lineOf[i]] = true
			}
		}
		rest := got[start:]
		for i, line := range bytes.SplitAfter([]byte(body), []byte("\n")) {
			if encoding == "base64" && (touched[i-1] || touched[i+1]) {
				continue // a group of digits may begin in the line before
			}
			if touched[i] {
				continue
			}
			at := bytes.Index(rest, line)
			if at < 0 {
				t.Fatalf("%s: line %d is gone: %q of\n%s\nin\n%s", encoding, i, line, body, got[start:])
			}
			rest = rest[at+len(line):]
		}
		for line := range bytes.Lines(got[start:]) {
			if len(bytes.TrimRight(line, "\r\n")) > longestEncoded {
				t.Fatalf("a line of %d: %q", len(line), line)
			}
		}
		if len(got) < len(header)+len(body) {
			shortened++
		}
	}
	t.Logf("%d parts edited, %d of them became shorter", edited, shortened)
	if edited < 1500 {
		t.Errorf("only %d parts were edited", edited)
	}
}

// generatedHTML returns HTML with links whose texts are URLs.
func generatedHTML(random *rand.Rand) string {
	var b strings.Builder
	for range 1 + random.IntN(6) {
		for range random.IntN(40) {
			b.WriteString([]string{"word", ", ", "ü", " = ", "From ", "\n", "<b>x</b>", " ", "\t", "."}[random.IntN(10)])
		}
		fmt.Fprintf(&b, `<a href="https://example.org/%d">https://example.org/%%C3%%BC%d</a>`, random.IntN(1000), random.IntN(1000))
	}
	b.WriteString("</p>\n")
	return b.String()
}

// generatedEdits replaces some texts of links.
func generatedEdits(random *rand.Rand, html string) []Edit {
	var edits []Edit
	for pos := 0; ; {
		i := strings.Index(html[pos:], ">https://")
		if i < 0 {
			return edits
		}
		start := pos + i + 1
		pos = start + strings.IndexByte(html[start:], '<')
		if random.IntN(2) == 0 {
			edits = append(edits, Edit{start, pos, []byte([]string{"example.org/ü", "example.org/मह", "x", strings.Repeat("länger ", 9) + "x"}[random.IntN(4)])})
		}
	}
}

// base64ByHand encodes a text in lines of a width, and returns the line of each byte.
func base64ByHand(random *rand.Rand, text, eol string) (string, []int) {
	width := []int{40, 60, 64, 72, 76}[random.IntN(5)]
	var b strings.Builder
	lineOf := make([]int, len(text))
	line := 0
	for piece := range slices.Chunk([]byte(text), width/4*3) {
		b.WriteString(base64.StdEncoding.EncodeToString(piece) + eol)
		for i := range piece {
			lineOf[line*(width/4*3)+i] = line
		}
		line++
	}
	return b.String(), lineOf
}

// quotedByHand encodes a text as programs do, with needless escapes and with soft breaks at random
// places. It returns the line of each byte.
func quotedByHand(random *rand.Rand, text, eol string) (string, []int) {
	var b strings.Builder
	lineOf := make([]int, len(text))
	line, used := 0, 0
	width := 20 + random.IntN(56)
	for i := 0; i < len(text); i++ {
		c := text[i]
		if strings.HasPrefix(text[i:], eol) {
			for range eol {
				lineOf[i] = line
				i++
			}
			i--
			b.WriteString(eol)
			line, used = line+1, 0
			continue
		}
		if used+4 > width {
			b.WriteString("=" + eol)
			line, used = line+1, 0
		}
		lineOf[i] = line
		ends := strings.HasPrefix(text[i+1:], eol)
		if c == '=' || c >= 0x80 || ends && (c == ' ' || c == '\t') || used == 0 && c == 'F' || c != '\r' && random.IntN(20) == 0 {
			fmt.Fprintf(&b, "=%02X", c)
			used += 3
			continue
		}
		b.WriteByte(c)
		used++
	}
	return b.String(), lineOf
}
