package mime

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the results of golden tests")

// addAlternative adds an alternative to the leaf with the number, verifies the edit, and returns
// the edited message.
func addAlternative(t testing.TB, raw, number, html string) string {
	t.Helper()
	m := parse([]byte(raw), Limits{})
	var plan Plan
	if err := m.AddAlternative(&plan, part(t, m, number), sourceOf(html)); err != nil {
		t.Fatal(err)
	}
	edited, bodyStart, err := m.Apply(plan)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(plan, edited); err != nil {
		t.Fatalf("%v in\n%s", err, edited)
	}
	if got := parse(edited, Limits{}).Root.bodyStart; got != bodyStart {
		t.Fatalf("Apply says the body begins at %d, Parse says %d", bodyStart, got)
	}
	return string(edited)
}

// part returns the part with the number.
func part(t testing.TB, m *Message, number string) *Part {
	t.Helper()
	for _, p := range parts(m.Root) {
		if p.Number == number {
			return p
		}
	}
	t.Fatalf("no part %s", number)
	return nil
}

// parts returns p and all parts in it, in order.
func parts(p *Part) []*Part {
	all := []*Part{p}
	for _, c := range p.children {
		all = append(all, parts(c)...)
	}
	return all
}

// TestAddAlternativeGolden edits the messages of testdata/alternative, with LF and with CRLF. Both
// results must be the same except for the line ends, so that a message gets the same body in a file
// and over SMTP.
func TestAddAlternativeGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/alternative/*.txtar")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			get := func(i int, name string) string {
				if archive.Files[i].Name != name {
					t.Fatalf("file %d is %s, not %s", i, archive.Files[i].Name, name)
				}
				return string(archive.Files[i].Data)
			}
			number, raw, html := strings.TrimSpace(get(0, "part")), get(1, "message"), get(2, "html")
			got := addAlternative(t, raw, number, html)
			if *update {
				archive.Files[3].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(get(3, "edited"), got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(crlf(got), addAlternative(t, crlf(raw), number, html)); diff != "" {
				t.Error("with CRLF", diff)
			}
			for line := range strings.Lines(got) {
				if len(strings.TrimSuffix(line, "\n")) > 78 {
					t.Errorf("long line %q", line)
				}
			}
		})
	}
}

// TestAddAlternativeBodies checks that the first alternative is the original body
// to the byte, however it ends.
func TestAddAlternativeBodies(t *testing.T) {
	bodies := []string{"", "\n", "\n\n", "\r\n", "a", "a\n", "a\n\n", "a\r\n\r\n", "a \n", "--\n", "--", "a\r\n\n", "\n\n\na", ".\n..\n", "a\nFrom b\n"}
	for _, body := range bodies {
		for _, eol := range []string{"\n", "\r\n"} {
			raw := "Content-Type: text/plain" + eol + eol + body
			m := parse([]byte(addAlternative(t, raw, "1", "<p>\r\n")), Limits{})
			if got := string(m.Body(part(t, m, "1"))); got != body {
				t.Errorf("whole message %q: got %q", raw, got)
			}

			raw = "Content-Type: multipart/mixed; boundary=b" + eol + eol + "--b" + eol + eol + body + eol + "--b--"
			m = parse([]byte(raw), Limits{})
			want := string(m.Body(part(t, m, "1")))
			if len(m.Problems) > 0 || part(t, m, "1").bodyStart == part(t, m, "1").start {
				t.Fatalf("%q: %v", raw, m.Problems)
			}
			m = parse([]byte(addAlternative(t, raw, "1", "<p>\r\n")), Limits{})
			if got := string(m.Body(part(t, m, "1.1"))); got != want {
				t.Errorf("part %q: got %q, want %q", raw, got, want)
			}
		}
	}
}

func TestAddAlternativeTwice(t *testing.T) {
	raw := mixed + "--b\n\none\n--b\n\none\n--b--\n"
	m := parse([]byte(raw), Limits{})
	var plan Plan
	for leaf := range m.Leaves() {
		if err := m.AddAlternative(&plan, leaf, sourceOf("<p>one</p>")); err != nil {
			t.Fatal(err)
		}
	}
	edited, _, err := m.Apply(plan)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(plan, edited); err != nil {
		t.Error(err)
	}
	got := parse(edited, Limits{})
	if part(t, got, "1").boundary == part(t, got, "2").boundary {
		t.Error("one boundary for two parts")
	}
	for _, number := range []string{"1.1", "2.1"} {
		if body := string(got.Body(part(t, got, number))); body != "one" {
			t.Errorf("part %s is %q", number, body)
		}
	}
}

func TestAddAlternativeRefuses(t *testing.T) {
	tests := []struct {
		name, raw, number, html string
		want                    Reason
	}{
		{"ambiguous message", "Content-Type: text/plain\nContent-Type: text/html\n\na", "1", "", reasonDuplicateContentType},
		{"html", "Content-Type: text/html\n\na", "1", "", reasonInvalidPlan},
		{"multipart", mixed + "--b\n\na\n--b--\n", "0", "", reasonInvalidPlan},
		{"binary", "Content-Transfer-Encoding: binary\n\na", "1", "", reasonBinaryEncoding},
		{"unknown encoding", "Content-Transfer-Encoding: x-y\n\na", "1", "", reasonUnknownEncoding},
		{"no body", "Subject: x\n", "1", "", reasonNoBody},
		{"part without body", mixed + "--b\nA: b\n--b--\n", "1", "", reasonNoBody},
		{"second in related", related("") + "--b\n\na\n--b\n\nb\n--b--\n", "2", "", reasonRelated},
		{"related with start", related("; type=\"text/plain\"; start=\"<1@x>\"") + "--b\n\na\n--b--\n", "1", "", reasonRelated},
		{"related of another type", related("; type=\"text/html\"") + "--b\n\na\n--b--\n", "1", "", reasonRelated},
		{"related with an extended type", related("; type*=us-ascii''text%2Fplain") + "--b\n\na\n--b--\n", "1", "", reasonRelated},
		{"related with a value that is not ASCII", related("; type=\"text/plain\"; x=\"ü\"") + "--b\n\na\n--b--\n", "1", "", reasonInvalidHeader},
		{"bare CR at the end", "\na\r", "1", "", reasonBareCR},
		{"html is not UTF-8", "\na", "1", "\xff", reasonInvalidHTML},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := parse([]byte(tt.raw), Limits{})
			var plan Plan
			err := m.AddAlternative(&plan, part(t, m, tt.number), sourceOf(tt.html))
			wantPlanReason(t, err, tt.want)
			if !plan.Empty() {
				t.Errorf("plan %+v", plan)
			}
		})
	}

	m, other := parse([]byte("\na"), Limits{}), parse([]byte("\na"), Limits{})
	var plan Plan
	if err := m.AddAlternative(&plan, m.Root, sourceOf("")); err != nil {
		t.Fatal(err)
	}
	wantPlanReason(t, m.AddAlternative(&plan, m.Root, sourceOf("")), reasonInvalidPlan)
	wantPlanReason(t, m.AddAlternative(&plan, other.Root, sourceOf("")), reasonInvalidPlan)
}

// related returns a header of multipart/related with more parameters.
func related(params string) string {
	return "Content-Type: multipart/related; boundary=b" + params + "\n\n"
}

// wantPlanReason checks that err wraps the reason.
func wantPlanReason(t testing.TB, err error, want Reason) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got %v, want %s", err, want)
	}
}

// TestBoundaryIsPickedAgain: if the message has the boundary that the plan would take first, in a
// text or as the beginning of a boundary, the plan takes another one.
func TestBoundaryIsPickedAgain(t *testing.T) {
	first := func(raw string) string {
		m := parse([]byte(raw), Limits{})
		b, err := m.newBoundary(&Plan{}, part(t, m, "1"))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	message := func(subject, boundary string) string {
		return "Subject: " + subject + "\nContent-Type: multipart/mixed; boundary=" + boundary + "\n\n--" + boundary + "\n\na\n--" + boundary + "--\n"
	}
	b := first(message("x", "b-"))
	if again := first(message("x", "b-")); again != b {
		t.Errorf("not deterministic: %q, %q", b, again)
	}
	if again := first(message(b, "b-")); again == b {
		t.Error("boundary occurs in the message")
	}
	if again := first(message("x", b[:1])); strings.HasPrefix(again, b[:1]) {
		t.Errorf("a boundary of the message begins %q", again)
	}
	m := parse([]byte("\na"), Limits{})
	plan := Plan{Body: []Edit{{New: []byte(first("\na"))}}}
	if again, err := m.newBoundary(&plan, m.Root); err != nil || plan.holds(again) {
		t.Errorf("boundary %q occurs in the plan, %v", again, err)
	}
}

// TestEncodingWithComment: a comment moves into the part with its field. The field of the multipart
// has none, since some programs would take it for an unknown encoding.
func TestEncodingWithComment(t *testing.T) {
	const field = "Content-transfer-encoding: (as sent) 8BIT\n"
	edited := addAlternative(t, utf8Type+field+"\ngrüße\n", "1", "<p>grüße</p>\n")
	header, body, _ := strings.Cut(edited, "\n\n")
	if !strings.Contains(header, "\nContent-transfer-encoding: 8bit\n") || !strings.Contains(body, "\n"+field) {
		t.Errorf("got\n%s", edited)
	}
}
