package mime

import (
	"bytes"
	"strings"
	"testing"
)

// editedNested returns a message, a plan of edits and what it makes of the
// message.
func editedNested(t testing.TB) (m *Message, plan Plan, edited []byte, bodyStart int) {
	t.Helper()
	m = parse([]byte("X-Old: 1\n"+nested), Limits{})
	plan.Header = []HeaderEdit{{Op: OpAdd, Name: "X-New", Value: "1"}, {Op: OpDelete, Field: 0}}
	if err := m.AddAlternative(&plan, part(t, m, "2"), sourceOf("<p>grüße</p>\n")); err != nil {
		t.Fatal(err)
	}
	edited, bodyStart, err := m.Apply(plan)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(plan, edited); err != nil {
		t.Fatal(err)
	}
	return m, plan, edited, bodyStart
}

// TestVerifyStructure damages the parts and fields of an edited message. Verify must see it by
// reading the result, without its comparison of bytes.
func TestVerifyStructure(t *testing.T) {
	tests := []struct{ name, old, new string }{
		{"body of a part outside the plan", "\none\n", "\nOne\n"},
		{"last line end of a part outside the plan", "\none\n", "\none\n\n"},
		{"body of another part", "\nthree\n", "\nthre\n"},
		{"header of a part", "filename=x.png", "filename=y.png"},
		{"field dropped from a part", "Content-Disposition: inline; filename=x.png\n", ""},
		{"attached message", "six", "7"},
		{"header of an attached message", "=66ive", "=66our"},
		{"original leaf", "\nfour\n", "\nFour\n"},
		{"original leaf gets a line end", "\nfour\n", "\nfour\n\n"},
		{"field of the original leaf", "X-Unknown", "X-Other"},
		{"field lost by the original leaf", "Content-Disposition: X-Unknown\n", ""},
		{"media type of a part", "image/png", "image/gif"},
		{"charset of the alternative", "charset=utf-8", "charset=utf-7"},
		{"media type of the alternative", "text/html; charset", "text/xhtml; charset"},
		{"encoding of the alternative", "Content-Transfer-Encoding: quoted-printable\n\n<p>", "Content-Transfer-Encoding: x-none\n\n<p>"},
		{"text of the alternative", "gr=C3=BC", "gr=C3=BB"},
		{"broken encoding of the alternative", "gr=C3=BC", "gr=C3=B"},
		{"type of the multipart around", "multipart/alternative; boundary=\"", "multipart/mixed; boundary=\""},
		{"part dropped", "--r\nContent-Type: image/png", "Content-Type: image/png"},
		{"part added", "\nfour\n", "\nfour\n--m\n\nfive\n"},
		{"close delimiter dropped", "--m--", ""},
		{"field added", "X-New: 1\n", "X-New: 1\nX-Newer: 1\n"},
		{"planned field dropped", "X-New: 1\n", ""},
		{"planned field changed", "X-New: 1\n", "X-New: 2\n"},
		{"deleted field is back", "X-New: 1\n", "X-Old: 1\nX-New: 1\n"},
		{"fields change places", "Content-Type: multipart/mixed; boundary=m\nX-New: 1\n", "X-New: 1\nContent-Type: multipart/mixed; boundary=m\n"},
		{"became ambiguous", "X-New: 1\n", "X-New: 1\n \n"},
	}
	m, plan, edited, bodyStart := editedNested(t)
	if err := m.verifyStructure(plan, edited, bodyStart); err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if n := bytes.Count(edited, []byte(tt.old)); n != 1 {
				t.Fatalf("%q is there %d times:\n%s", tt.old, n, edited)
			}
			bad := bytes.Replace(edited, []byte(tt.old), []byte(tt.new), 1)
			start := parse(bad, Limits{}).Root.bodyStart
			wantPlanReason(t, m.verifyStructure(plan, bad, start), reasonVerify)
			wantPlanReason(t, m.Verify(plan, bad), reasonVerify)
		})
	}
	wantPlanReason(t, m.verifyStructure(plan, edited, bodyStart+1), reasonVerify)
}

// TestVerifyBytes changes, drops and doubles every byte. Verify must see each, also in preambles,
// between parts and in boundaries.
func TestVerifyBytes(t *testing.T) {
	m, plan, edited, _ := editedNested(t)
	for i := range edited {
		bad := bytes.Clone(edited)
		bad[i] ^= 1
		wantPlanReason(t, m.Verify(plan, bad), reasonVerify)
		wantPlanReason(t, m.Verify(plan, edited[:i]), reasonVerify)
		wantPlanReason(t, m.Verify(plan, bytes.Join([][]byte{edited[:i], edited[i+1:]}, nil)), reasonVerify)
		wantPlanReason(t, m.Verify(plan, bytes.Join([][]byte{edited[:i+1], edited[i:]}, nil)), reasonVerify)
	}
	wantPlanReason(t, m.Verify(plan, append(bytes.Clone(edited), '\n')), reasonVerify)
}

// TestVerifyPlan: Verify refuses harmful plans that Apply carries out.
func TestVerifyPlan(t *testing.T) {
	at := func(m *Message, text string) int { return strings.Index(string(m.Raw), text) }
	tests := []struct {
		name string
		plan func(m *Message) Plan
	}{
		{"text with a delimiter in it", func(m *Message) Plan {
			return Plan{Body: []Edit{{at(m, "four"), at(m, "four"), []byte("--m\n\n")}}}
		}},
		{"edit of a delimiter", func(m *Message) Plan {
			return Plan{Body: []Edit{{at(m, "--a--"), at(m, "--a--") + 5, nil}}}
		}},
		{"edit of a part's header", func(m *Message) Plan {
			return Plan{Body: []Edit{{at(m, "image/png"), at(m, "image/png") + 9, []byte("text/png")}}}
		}},
		{"another media type", func(m *Message) Plan {
			return Plan{Header: []HeaderEdit{{Op: OpChange, Field: 0, Value: "text/plain"}}}
		}},
		{"another boundary", func(m *Message) Plan {
			return Plan{Header: []HeaderEdit{{Op: OpChange, Field: 0, Value: "multipart/mixed; boundary=a"}}}
		}},
		{"second content type", func(m *Message) Plan {
			return Plan{Header: []HeaderEdit{{Op: OpAdd, Name: "Content-Type", Value: "multipart/mixed; boundary=m"}}}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := parse([]byte(nested), Limits{})
			plan := tt.plan(m)
			edited, _, err := m.Apply(plan)
			if err != nil {
				t.Fatal(err)
			}
			wantPlanReason(t, m.Verify(plan, edited), reasonVerify)
		})
	}
	m := parse([]byte(nested), Limits{})
	plan := Plan{Body: []Edit{{at(m, "four"), at(m, "four") + 4, []byte("vier\n")}}}
	edited, _, err := m.Apply(plan)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(plan, edited); err != nil {
		t.Errorf("an edit of a text: %v", err)
	}
}
