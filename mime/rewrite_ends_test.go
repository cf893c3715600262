package mime

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestEncodedLineFeedStaysEncoded has mail of a program that writes "=0A=" for line ends. The
// charset has not all letters of the new text, so the whole body is encoded again.
func TestEncodedLineFeedStaysEncoded(t *testing.T) {
	const header = "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=%s\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
	raw := fmt.Sprintf(header, `"Windows-1252"`) + "Look:=0A=\r\nsee %%41 here=0A=\r\n\r\nbye=0D=0A=\r\n"
	got := rewriteText(t, raw, "1", "", "%41", "日")
	want := fmt.Sprintf(header, "utf-8") + "Look:=0A=\r\nsee %=E6=97=A5 here=0A=\r\n\r\nbye\r\n"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestVerifyRefusesBareLineEnds: a plan that would add a bare CR or LF to the message is refused.
// One that the message had may stay.
func TestVerifyRefusesBareLineEnds(t *testing.T) {
	const raw = "A: b\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\none\r\ntwo\nthree\r\n"
	for _, tt := range []struct {
		old, new string
		refused  bool
	}{
		{"one\r\n", "One\r\n", false},
		{"one\r\n", "one\n", true},
		{"one\r\n", "one\r", true},
		{"one", "o\rne", true},
		{"one", "one\r", true}, // CR CR LF
		{"\r\ntwo", "two", false},
		{"\ntwo", "two", true},    // a CR stays behind
		{"one\r", "one", true},    // an LF stays behind
		{"two\n", "Two\n", false}, // it was bare before
		{"two\nthree", "two\nth\nree", true},
		{"two\n", "two\r\n", false},
	} {
		m := parse([]byte(raw), Limits{})
		at := strings.Index(raw, tt.old)
		plan := Plan{Body: []Edit{{at, at + len(tt.old), []byte(tt.new)}}}
		edited, _, err := m.Apply(plan)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Verify(plan, edited); (err != nil) != tt.refused {
			t.Errorf("%q for %q: %v", tt.new, tt.old, err)
		}
	}
}

// FuzzRewrittenLineEnds edits texts whose bodies encode line ends of all kinds. The result has no
// new bare CR or LF, and the planned text.
func FuzzRewrittenLineEnds(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(checkLineEnds)
}

// TestRewrittenLineEndsAreEdited checks that [FuzzRewrittenLineEnds] edits at all.
func TestRewrittenLineEndsAreEdited(t *testing.T) {
	edited, recoded := 0, 0
	for seed := range uint64(2000) {
		before, after := lineEndsCase(t, seed)
		if after != "" {
			edited++
		}
		if after != "" && !strings.Contains(before, "utf-8") && strings.Contains(after[:len(before)/2], "charset=utf-8") {
			recoded++
		}
	}
	t.Logf("%d of 2000 edited, %d of them in another charset", edited, recoded)
	if edited < 1000 || recoded < 100 {
		t.Errorf("%d of 2000 edited, %d of them in another charset", edited, recoded)
	}
}

func checkLineEnds(t *testing.T, seed uint64) { lineEndsCase(t, seed) }

// lineEndsCase makes a message, edits it and checks the result. The result is empty if the edit was
// refused, as for a bare CR in the text.
func lineEndsCase(t testing.TB, seed uint64) (before, after string) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	pick := func(choices ...string) string { return choices[random.IntN(len(choices))] }
	eol := pick("\r\n", "\r\n", "\n")
	name := pick("us-ascii", "utf-8", "iso-8859-1", "windows-1252", "iso-2022-jp", "shift_jis", "koi8-r")
	mediaType := pick("text/plain", "text/plain; format=flowed", "text/html")
	encoding := pick("quoted-printable", "quoted-printable", "base64")
	var body strings.Builder
	ends := []string{"\n", "\r\n", "\n\n", "\r\n\n", "\n\r\n"}
	if random.IntN(8) == 0 {
		ends = append(ends, "\r", "\r\r\n")
	}
	data := ""
	for range 1 + random.IntN(8) {
		line := pick("see %41 here", "%41", "a b ", "", "From x", "long "+strings.Repeat("words ", 20))
		end := pick(ends...)
		data += line + end
		if encoding != "quoted-printable" {
			continue
		}
		body.WriteString(line)
		switch {
		case end == eol && random.IntN(2) == 0:
			body.WriteString(eol)
		default:
			for _, c := range []byte(end) {
				fmt.Fprintf(&body, "=%02X", c)
			}
			body.WriteString(pick("", "="+eol))
		}
	}
	if encoding == "base64" {
		body.WriteString(base64.StdEncoding.EncodeToString([]byte(data)))
	}
	body.WriteString(pick("", eol))
	part := fmt.Sprintf("Content-Type: %s; charset=%s%sContent-Transfer-Encoding: %s%s%s%s", mediaType, name, eol, encoding, eol, eol, body.String())
	raw := "MIME-Version: 1.0" + eol + part
	if random.IntN(2) == 0 {
		raw = "MIME-Version: 1.0" + eol + "Content-Type: multipart/mixed; boundary=b" + eol + eol + "--b" + eol + part + eol + "--b--" + eol
	}
	m := parse([]byte(raw), Limits{})
	leaf := m.Root
	if leaf.isMultipart() {
		leaf = leaf.children[0]
	}
	text, err := m.Text(leaf)
	if err != nil {
		return raw, ""
	}
	var edits []Edit
	replacement := pick("A", "ü", "日本", "Ж")
	for at := 0; ; {
		i := strings.Index(text[at:], "%41")
		if i < 0 {
			break
		}
		edits = append(edits, Edit{at + i, at + i + len("%41"), []byte(replacement)})
		at += i + len("%41")
	}
	if len(edits) == 0 {
		return raw, ""
	}
	var plan Plan
	if err := m.RewriteText(&plan, leaf, edits); err != nil {
		return raw, ""
	}
	want := spliced(text, edits)
	added := leaf.MediaType == "text/plain" && random.IntN(2) == 0
	if added {
		if err := m.AddAlternative(&plan, leaf, sourceOf("<p>"+strings.ReplaceAll(want, "\n", "<br>\n")+"</p>\n")); err != nil {
			t.Fatalf("%v for %q", err, raw)
		}
	}
	edited, _, err := m.Apply(plan)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(plan, edited); err != nil {
		t.Fatalf("%v for %q:\n%q", err, raw, edited)
	}
	pairs := bytes.Count(edited, []byte("\r\n"))
	if lf, cr := bytes.Count(edited, newline), bytes.Count(edited, carriageReturn); cr != pairs || eol == "\r\n" && lf != pairs || eol == "\n" && pairs > 0 {
		t.Fatalf("bare line ends in %q from %q", edited, raw)
	}
	again := parse(edited, Limits{})
	for leaf := range again.Leaves() {
		got, err := again.Text(leaf)
		if mediaType == "text/html" {
			got = html.UnescapeString(got)
		}
		if err != nil || got != want {
			t.Fatalf("%q decodes to %q, %v, want %q", edited, got, err, want)
		}
		break
	}
	return raw, string(edited)
}
