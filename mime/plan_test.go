package mime

import (
	"strings"
	"testing"
)

func TestApplyHeader(t *testing.T) {
	const raw = "A: 1\nB: 2\n folded\nc: 3\n\nbody\n"
	tests := []struct {
		name, raw string
		edits     []HeaderEdit
		want      string
	}{
		{"nothing", raw, nil, raw},
		{"change", raw, []HeaderEdit{{Op: OpChange, Field: 1, Value: "new"}}, "A: 1\nB: new\nc: 3\n\nbody\n"},
		{"change keeps the name", raw, []HeaderEdit{{Op: OpChange, Field: 2, Name: "C", Value: "new"}}, "A: 1\nB: 2\n folded\nc: new\n\nbody\n"},
		{"delete", raw, []HeaderEdit{{Op: OpDelete, Field: 1}}, "A: 1\nc: 3\n\nbody\n"},
		{"delete all", raw, []HeaderEdit{{Op: OpDelete, Field: 2}, {Op: OpDelete, Field: 0}, {Op: OpDelete, Field: 1}}, "\nbody\n"},
		{"add in order", raw, []HeaderEdit{{Op: OpAdd, Name: "X", Value: "1"}, {Op: OpAdd, Name: "Y", Value: ""}}, "A: 1\nB: 2\n folded\nc: 3\nX: 1\nY: \n\nbody\n"},
		{"insert in order", raw, []HeaderEdit{{Op: OpInsert, Name: "X", Value: "1"}, {Op: OpInsert, Name: "Y", Value: "2"}}, "X: 1\nY: 2\n" + raw},
		{"all at once", raw, []HeaderEdit{{Op: OpAdd, Name: "X", Value: "1"}, {Op: OpDelete, Field: 2}, {Op: OpChange, Field: 0, Value: "9"}, {Op: OpInsert, Name: "Y", Value: "2"}}, "Y: 2\nA: 9\nB: 2\n folded\nX: 1\n\nbody\n"},
		{"folded", raw, []HeaderEdit{{Op: OpAdd, Name: "X", Value: strings.Repeat("word ", 20)}}, "A: 1\nB: 2\n folded\nc: 3\nX: " + strings.TrimSpace(strings.Repeat("word ", 15)) + "\n word word word word word\n\nbody\n"},
		{"own line ends", crlf(raw), []HeaderEdit{{Op: OpAdd, Name: "X", Value: strings.Repeat("word ", 20)}}, crlf("A: 1\nB: 2\n folded\nc: 3\nX: " + strings.TrimSpace(strings.Repeat("word ", 15)) + "\n word word word word word\n\nbody\n")},
		{"folded already", raw, []HeaderEdit{{Op: OpInsert, Name: "X", Value: "1;\r\n\t b=2 3\r\n 4", Folded: true}}, "X: 1;\n\t b=2 3\n 4\n" + raw},
		{"folded already, own line ends", crlf(raw), []HeaderEdit{{Op: OpInsert, Name: "X", Value: "1;\r\n b=2", Folded: true}}, "X: 1;\r\n b=2\r\n" + crlf(raw)},
		{"empty message", "", []HeaderEdit{{Op: OpAdd, Name: "X", Value: "1"}}, "X: 1\r\n"},
		{"no header", "\nbody", []HeaderEdit{{Op: OpAdd, Name: "X", Value: "1"}}, "X: 1\n\nbody"},
		{"header without empty line", "A: b\nC: d", []HeaderEdit{{Op: OpAdd, Name: "X", Value: "1"}}, "A: b\nC: d\nX: 1\n"},
		{"header without empty line, last field deleted", "A: b\nC: d", []HeaderEdit{{Op: OpDelete, Field: 1}, {Op: OpAdd, Name: "X", Value: "1"}}, "A: b\nX: 1\n"},
		{"header that ends in another line", "A: b\nhello\n", []HeaderEdit{{Op: OpAdd, Name: "X", Value: "1"}}, "A: b\nX: 1\nhello\n"},
		{"body that looks like a continuation", " hello\n", []HeaderEdit{{Op: OpAdd, Name: "X", Value: "1"}}, "X: 1\n\n hello\n"},
		{"mbox line", "From a@b\nA: b\n\nbody", []HeaderEdit{{Op: OpInsert, Name: "X", Value: "1"}}, "From a@b\nX: 1\nA: b\n\nbody"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := parse([]byte(tt.raw), Limits{})
			plan := Plan{Header: tt.edits}
			if plan.Empty() != (tt.edits == nil) {
				t.Errorf("Empty = %t", plan.Empty())
			}
			edited, bodyStart, err := m.Apply(plan)
			if err != nil {
				t.Fatal(err)
			}
			if string(edited) != tt.want {
				t.Errorf("got %q, want %q", edited, tt.want)
			}
			if string(edited[bodyStart:]) != string(m.Raw[m.Root.bodyStart:]) && !strings.HasPrefix(tt.raw, " ") {
				t.Errorf("body is %q", edited[bodyStart:])
			}
			if err := m.Verify(plan, edited); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestApplyBody(t *testing.T) {
	const raw = "A: 1\n\n0123456789"
	edit := func(start, end int, text string) Edit { return Edit{start + 6, end + 6, []byte(text)} }
	tests := []struct {
		name  string
		edits []Edit
		want  string
	}{
		{"insert", []Edit{edit(0, 0, "a"), edit(5, 5, "b"), edit(10, 10, "c")}, "a01234b56789c"},
		{"replace", []Edit{edit(0, 2, "a"), edit(9, 10, "b")}, "a2345678b"},
		{"delete", []Edit{edit(0, 10, "")}, ""},
		{"touching", []Edit{edit(1, 2, "a"), edit(2, 3, "b"), edit(3, 3, "c")}, "0abc3456789"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := parse([]byte(raw), Limits{})
			plan := Plan{Body: tt.edits}
			edited, bodyStart, err := m.Apply(plan)
			if err != nil || string(edited) != raw[:6]+tt.want || bodyStart != 6 {
				t.Errorf("got %q, %d, %v, want %q", edited, bodyStart, err, tt.want)
			}
			if err := m.Verify(plan, edited); err != nil {
				t.Error(err)
			}
			if string(m.Raw) != raw {
				t.Errorf("the original became %q", m.Raw)
			}
		})
	}
}

func TestApplyRefuses(t *testing.T) {
	const raw = "A: 1\nB: 2\n\nbody"
	tests := []struct {
		name string
		plan Plan
		want Reason
	}{
		{"edit in the header", Plan{Body: []Edit{{0, 1, nil}}}, reasonInvalidPlan},
		{"edit behind the end", Plan{Body: []Edit{{14, 16, nil}}}, reasonInvalidPlan},
		{"end before start", Plan{Body: []Edit{{13, 12, nil}}}, reasonInvalidPlan},
		{"overlap", Plan{Body: []Edit{{11, 13, nil}, {12, 14, nil}}}, reasonInvalidPlan},
		{"not sorted", Plan{Body: []Edit{{13, 14, nil}, {11, 12, nil}}}, reasonInvalidPlan},
		{"two insertions at a place", Plan{Body: []Edit{{12, 12, []byte("a")}, {12, 12, []byte("b")}}}, reasonInvalidPlan},
		{"no operation", Plan{Header: []HeaderEdit{{Name: "X", Value: "1"}}}, reasonInvalidPlan},
		{"no such field", Plan{Header: []HeaderEdit{{Op: OpDelete, Field: 2}}}, reasonInvalidPlan},
		{"negative field", Plan{Header: []HeaderEdit{{Op: OpDelete, Field: -1}}}, reasonInvalidPlan},
		{"two edits of a field", Plan{Header: []HeaderEdit{{Op: OpDelete}, {Op: OpChange, Value: "x"}}}, reasonInvalidPlan},
		{"another field", Plan{Header: []HeaderEdit{{Op: OpDelete, Field: 0, Name: "B"}}}, reasonInvalidPlan},
		{"no name", Plan{Header: []HeaderEdit{{Op: OpAdd, Value: "x"}}}, reasonInvalidHeader},
		{"name with a colon", Plan{Header: []HeaderEdit{{Op: OpAdd, Name: "X:", Value: "x"}}}, reasonInvalidHeader},
		{"second line in a value", Plan{Header: []HeaderEdit{{Op: OpInsert, Name: "X", Value: "x\r\nY: z"}}}, reasonInvalidHeader},
		{"non-ASCII value", Plan{Header: []HeaderEdit{{Op: OpChange, Value: "ü"}}}, reasonInvalidHeader},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := parse([]byte(raw), Limits{})
			edited, _, err := m.Apply(tt.plan)
			wantPlanReason(t, err, tt.want)
			if edited != nil {
				t.Errorf("edited %q", edited)
			}
			wantPlanReason(t, m.Verify(tt.plan, m.Raw), tt.want)
		})
	}
}

// TestApplyBareCR: a field behind a header that ends in a CR cannot be added, since CR and the LF
// of the new line end would make another line end.
func TestApplyBareCR(t *testing.T) {
	m := parse([]byte("A: 1\nB: 2\r"), Limits{})
	_, _, err := m.Apply(Plan{Header: []HeaderEdit{{Op: OpAdd, Name: "X", Value: "1"}, {Op: OpAdd, Name: "Y", Value: "1"}}})
	wantPlanReason(t, err, reasonBareCR)
}

func TestFoldedValue(t *testing.T) {
	long := strings.Repeat("x", longestLine-len("X: "))
	for _, value := range []string{"", "a", "a\r\n b\r\n\tc ", long, "a\r\n " + long} {
		want := strings.ReplaceAll(value, "\r\n", "\n")
		if got, err := (HeaderEdit{Name: "X", Value: value, Folded: true}).Text("\n"); got != want || err != nil {
			t.Errorf("%.40q: got %.40q, %v", value, got, err)
		}
	}
	for _, value := range []string{
		"\r\n", "a\r\n", "a\r\n \r\n b", "a\r\nb", "a\n b", "a\r b", "a\r\n b\x00", "ä", long + "x", "a\r\n" + long + " x",
	} {
		if got, err := (HeaderEdit{Name: "X", Value: value, Folded: true}).Text("\r\n"); err == nil {
			t.Errorf("%.40q: no error, but %.40q", value, got)
		}
	}
	if _, err := (HeaderEdit{Name: "X:", Value: "a", Folded: true}).Text("\r\n"); err == nil {
		t.Error("a field name with a colon: no error")
	}
}

func TestFoldValue(t *testing.T) {
	long := strings.Repeat("x", 100)
	tests := []struct{ name, value, want string }{
		{"empty", "", ""},
		{"short", " a b\t", "a b"},
		{"at 78", strings.Repeat("x", 70) + " abcd", strings.Repeat("x", 70) + " abcd"},
		{"past 78", strings.Repeat("x", 70) + " abcde", strings.Repeat("x", 70) + "\n abcde"},
		{"long word", "a " + long + " b", "a\n " + long + "\n b"},
		{"white space stays", strings.Repeat("x", 70) + " \t  abcde", strings.Repeat("x", 70) + "\n \t  abcde"},
		{"998 bytes", strings.Repeat("x", 995), strings.Repeat("x", 995)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := foldValue("X", tt.value, "\n")
			if err != nil || got != tt.want {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
			if unfolded := strings.ReplaceAll(got, "\n", ""); unfolded != strings.Trim(tt.value, " \t") {
				t.Errorf("unfolds to %q", unfolded)
			}
		})
	}
	_, err := foldValue("X", strings.Repeat("x", 996), "\n")
	wantPlanReason(t, err, reasonInvalidHeader)
	_, err = foldValue("X", "a "+strings.Repeat("x", 998), "\n")
	wantPlanReason(t, err, reasonInvalidHeader)
}

// TestEditOfFieldBeyondTheLimit: the last field that was read of a header above its limit may go
// on. If it were deleted, the rest would become part of the field above, so the plan is refused.
func TestEditOfFieldBeyondTheLimit(t *testing.T) {
	raw := "X-A: 1\nX-B: 2\n  " + strings.Repeat("3", 30) + "\nX-C: 4\n\nbody\n"
	m := parse([]byte(raw), Limits{HeaderBytes: 30})
	if len(m.Root.Fields) != 2 || !m.doubtful(reasonHeaderTooLarge) {
		t.Fatalf("%d fields, problems %v", len(m.Root.Fields), m.Problems)
	}
	for _, edit := range []HeaderEdit{{Op: OpDelete, Field: 1}, {Op: OpChange, Field: 1, Value: "5"}} {
		_, _, err := m.Apply(Plan{Header: []HeaderEdit{edit}})
		wantPlanReason(t, err, reasonHeaderTooLarge)
	}
	plan := Plan{Header: []HeaderEdit{{Op: OpDelete, Field: 0}}}
	edited, _, err := m.Apply(plan)
	if err != nil || m.Verify(plan, edited) != nil || string(edited) != strings.TrimPrefix(raw, "X-A: 1\n") {
		t.Errorf("the field above: %v, %q", err, edited)
	}
}

// TestFirstFieldDeletedBeforeFrom: if the first fields are deleted, the next line must not look
// like the From_ line of an mbox file, which mail servers remove.
func TestFirstFieldDeletedBeforeFrom(t *testing.T) {
	gone := HeaderEdit{Op: OpDelete, Field: 0}
	for name, tt := range map[string]struct {
		raw   string
		edits []HeaderEdit
		want  Reason
	}{
		"a malformed line":         {"Received: x\r\nFrom a:@example.org\r\nMime-Version: 1.0\r\n\r\nbody\r\n", []HeaderEdit{gone}, reasonMboxFrom},
		"an obsolete field":        {"X-A: 1\nFrom : a@example.org\nTo: b\n\nbody\n", []HeaderEdit{gone}, reasonMboxFrom},
		"a field in its place":     {"X-A: 1\nFrom a:\n", []HeaderEdit{gone, {Op: OpInsert, Name: "X", Value: "1"}}, ""},
		"a field behind it":        {"X-A: 1\nFrom : a\n\n", []HeaderEdit{gone, {Op: OpAdd, Name: "X", Value: "1"}}, reasonMboxFrom},
		"a field before the line":  {"X-A: 1\nFrom a:\n", []HeaderEdit{gone, {Op: OpAdd, Name: "X", Value: "1"}}, ""},
		"a field that stays":       {"X-A: 1\nX-B: 2\nFrom a:\n", []HeaderEdit{gone}, ""},
		"a field without a space":  {"X-A: 1\nFrom: a\n\n", []HeaderEdit{gone}, ""},
		"a body":                   {"X-A: 1\n\nFrom a\n", []HeaderEdit{gone}, ""},
		"a message with such line": {"From x\nX-A: 1\nFrom a:\n", []HeaderEdit{gone}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := parse([]byte(tt.raw), Limits{})
			plan := Plan{Header: tt.edits}
			edited, _, err := m.Apply(plan)
			if tt.want != "" {
				wantPlanReason(t, err, tt.want)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Verify(plan, edited); err != nil {
				t.Errorf("%v in %q", err, edited)
			}
		})
	}
}

// TestPlanOfOldFromField: a first field "From :" of several lines stays whole below new fields, and
// can be deleted (RFC 5322 §4.5).
func TestPlanOfOldFromField(t *testing.T) {
	const first, rest = "From : a@example.org,\r\n b@example.org\r\n", "To: c\r\n\r\nbody\r\n"
	for want, edit := range map[string]HeaderEdit{
		"X: 1\r\n" + first + rest: {Op: OpInsert, Name: "X", Value: "1"},
		rest:                      {Op: OpDelete, Field: 0},
	} {
		m := parse([]byte(first+rest), Limits{})
		plan := Plan{Header: []HeaderEdit{edit}}
		edited, _, err := m.Apply(plan)
		if err == nil {
			err = m.Verify(plan, edited)
		}
		if err != nil || string(edited) != want {
			t.Errorf("%q, %v, want %q", edited, err, want)
		}
	}
}
