package mime

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// nested is mixed[ alternative[ plain, related[ html, png ] ], plain, message ].
const nested = `Content-Type: multipart/mixed; boundary=m

--m
Content-Type: multipart/alternative; boundary=a

--a

one
--a
Content-Type: multipart/related; boundary=r

--r
Content-Type: text/html

two
--r
Content-Type: image/png
Content-Disposition: inline; filename=x.png

three
--r--
--a--
--m
Content-Disposition: X-Unknown

four
--m
Content-Type: message/rfc822
Content-Transfer-Encoding: quoted-printable

Subject: =66ive

six
--m--
`

func TestStructure(t *testing.T) {
	m := parse([]byte(nested), Limits{})
	if len(m.Problems) > 0 {
		t.Fatal(m.Problems)
	}
	var got [][]string
	for leaf := range m.Leaves() {
		fact := func(holds bool, name string) string {
			if holds {
				return name
			}
			return ""
		}
		got = append(got, []string{leaf.Number, fact(leaf.isText(), "text"), fact(leaf.IsAttachment(), "attachment")})
	}
	want := [][]string{
		{"1.1", "text", ""},
		{"1.2.1", "text", ""},
		{"1.2.2", "", ""},
		{"2", "text", "attachment"},
		{"3", "", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var types []string
	for p := range part(t, m, "1.2.1").ancestors() {
		types = append(types, p.MediaType)
	}
	if want := []string{"multipart/related", "multipart/alternative", "multipart/mixed"}; !slices.Equal(types, want) {
		t.Errorf("ancestors %v, want %v", types, want)
	}
	var numbers []string
	for p := range m.Parts() {
		numbers = append(numbers, p.Number)
	}
	if want := strings.Fields("0 1 1.1 1.2 1.2.1 1.2.2 2 3"); !slices.Equal(numbers, want) {
		t.Errorf("parts %v, want %v", numbers, want)
	}
	for range m.Parts() {
		break // an iteration may end early
	}
	for leaf := range m.Leaves() {
		if leaf.Number != "1.1" {
			t.Errorf("leaf %s after the iteration ended", leaf.Number)
		}
		break
	}
}

// embedded parses the message that a leaf of m holds.
func embedded(m *Message, leaf *Part) (*Message, error) {
	content, err := m.content(leaf)
	if err != nil {
		return nil, err
	}
	return m.Embedded(leaf, content)
}

func TestEmbedded(t *testing.T) {
	m := parse([]byte(nested), Limits{})
	inner, err := embedded(m, part(t, m, "3"))
	if err != nil {
		t.Fatal(err)
	}
	if got := values(inner, "subject"); !slices.Equal(got, []string{"five"}) {
		t.Errorf("subject %q", got)
	}
	if got := string(inner.Body(inner.Root)); got != "six" {
		t.Errorf("body %q", got)
	}
	m = parse([]byte("Content-Type: message/global\nContent-Transfer-Encoding: base64\n\n!"), Limits{})
	_, err = embedded(m, m.Root)
	wantReason(t, err, reasonInvalidBase64)
}

func TestEmbeddedDepth(t *testing.T) {
	raw := []byte(strings.Repeat("Content-Type: message/rfc822\n\n", 10) + "\na")
	m := parse(raw, Limits{Depth: 5})
	for depth := 1; ; depth++ {
		inner, err := embedded(m, m.Root)
		if err != nil {
			wantReason(t, err, reasonTooDeep)
			if depth != 6 {
				t.Errorf("stopped at %d", depth)
			}
			break
		}
		m = inner
	}
	m = parse([]byte("Content-Type: message/rfc822\n\n"+nested), Limits{Depth: 2})
	inner, err := embedded(m, m.Root)
	if err != nil {
		t.Fatal(err)
	}
	if !inner.doubtful(reasonTooDeep) || len(inner.Root.children) != 3 {
		t.Errorf("%d parts, %v", len(inner.Root.children), inner.Problems)
	}
}

// deep returns a message of n nested multiparts.
func deep(n int) string {
	var b strings.Builder
	for i := range n {
		boundary := "b" + strconv.Itoa(i) + "."
		b.WriteString("Content-Type: multipart/mixed; boundary=" + boundary + "\n\n--" + boundary + "\n")
	}
	b.WriteString("\ntext\n")
	for i := n - 1; i >= 0; i-- {
		b.WriteString("--b" + strconv.Itoa(i) + ".--\n")
	}
	return b.String()
}

func TestLimits(t *testing.T) {
	many := mixed + strings.Repeat("--b\n\na\n", 1000) + "--b--\n"
	lines := strings.Repeat("X-Line: 1\n", 100_000) + "\nbody"
	tests := []struct {
		name  string
		raw   string
		lim   Limits
		want  Reason // "" for none
		parts int
	}{
		{"1,000 parts", many, Limits{}, ReasonTooManyParts, 500},
		{"1,000 parts, allowed", many, Limits{Parts: 1001}, "", 1001},
		{"depth 20", deep(20), Limits{}, "", 21},
		{"depth 21", deep(21), Limits{}, reasonTooDeep, 21},
		{"depth 200", deep(200), Limits{}, reasonTooDeep, 21},
		{"depth 200, allowed", deep(200), Limits{Depth: 200}, "", 201},
		{"100,000 fields", lines, Limits{}, "", 1},
		{"100,000 fields over the limit", lines, Limits{HeaderBytes: 10_000}, reasonHeaderTooLarge, 1},
		{"header of one line over the limit", "X: " + strings.Repeat("a", 2<<20) + "\n\nbody", Limits{}, reasonHeaderTooLarge, 1},
		{"headers of parts over the limit", mixed + strings.Repeat("--b\nX: 123456789\n\na\n", 100) + "--b--\n", Limits{HeaderBytes: 500}, reasonHeaderTooLarge, 101},
		{"line of 50 MB", "A: b\n\n" + strings.Repeat("a", 50<<20), Limits{}, "", 1},
		{"line of 50 MB of dashes", mixed + strings.Repeat("-", 50<<20), Limits{}, reasonMissingDelimiter, 1},
		{"50 MB of lines of dashes", mixed + strings.Repeat("--\n", 50<<20/3), Limits{}, reasonMissingDelimiter, 1},
		{"continuation lines", "A: b\n" + strings.Repeat(" c\n", 1<<18) + "\nbody", Limits{}, "", 1},
		{"parameters", "Content-Type: text/plain" + strings.Repeat("; a=b", 1<<17) + "\n\nbody", Limits{}, "", 1},
		{"sections", "Content-Type: text/plain" + sections(1<<15) + "\n\nbody", Limits{}, "", 1},
		{"comments", "Content-Type: text/plain " + strings.Repeat("(", 1<<19) + strings.Repeat(")", 1<<19) + "\n\nbody", Limits{HeaderBytes: 2 << 20}, reasonMalformedContentType, 1},
		{"comments that are read again", "Content-Type: text/plain;" + strings.Repeat("a=b(;", 1<<17) + strings.Repeat(")", 1<<17) + "x\n\nbody", Limits{}, reasonMalformedContentType, 1},
		{"sections beside a first one that stands often", "Content-Type: text/plain" + strings.Repeat("; name*0=x", 1<<15) + sections(1<<15) + "\n\nbody", Limits{HeaderBytes: 2 << 20}, "", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			m := parse([]byte(tt.raw), tt.lim)
			// The bound is about 500 times the usual time, so that only a cost beyond linear fails
			// on a busy machine.
			if took, most := time.Since(start), 10*time.Second+time.Duration(len(tt.raw))*1000; took > most {
				t.Errorf("%d bytes took %v", len(tt.raw), took)
			}
			checkRanges(t, m)
			if got := len(parts(m.Root)); got != tt.parts {
				t.Errorf("%d parts, want %d", got, tt.parts)
			}
			if tt.want == "" && len(m.Problems) > 0 || tt.want != "" && !m.doubtful(tt.want) {
				t.Errorf("problems %v, want %q", m.Problems, tt.want)
			}
		})
	}
}

func sections(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("; name*" + strconv.Itoa(i) + "=x")
	}
	return b.String()
}
