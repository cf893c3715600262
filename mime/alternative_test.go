package mime

import (
	"strings"
	"testing"
)

// addAlternative gives the leaf with the number an alternative, verifies and
// returns the edited message.
func addAlternative(t testing.TB, raw, number, html string) string {
	t.Helper()
	m := Parse([]byte(raw), Limits{})
	var plan Plan
	if err := m.AddAlternative(&plan, part(t, m, number), html); err != nil {
		t.Fatal(err)
	}
	edited, bodyStart, err := m.Apply(plan)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(plan, edited); err != nil {
		t.Fatalf("%v in\n%s", err, edited)
	}
	if got := Parse(edited, Limits{}).Root.BodyStart; got != bodyStart {
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
	for _, c := range p.Children {
		all = append(all, parts(c)...)
	}
	return all
}

func TestAddAlternative(t *testing.T) {
	const html = "<p>grüße</p>\n"
	tests := []struct {
		name, raw, number, want string
	}{
		{
			"whole message",
			"From: a@example.org\nContent-Type: text/plain; charset=utf-8\nContent-Length: 7\nSubject: x\nContent-Transfer-Encoding: 8bit\nContent-Language: de\n\ngrüße\n",
			"1",
			`From: a@example.org
Content-Type: multipart/alternative; boundary="BOUNDARY"
Subject: x
Content-Transfer-Encoding: 8bit
MIME-Version: 1.0

--BOUNDARY
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit
Content-Language: de

grüße

--BOUNDARY
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<p>gr=C3=BC=C3=9Fe</p>

--BOUNDARY--
`,
		},
		{
			"part of a multipart",
			"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\npreamble\n--b\nContent-Type: text/plain; charset=utf-8\nX-Kept: yes\nContent-Transfer-Encoding: 8bit\n\ngrüße\n--b\n\nsecond\n--b--\nepilogue",
			"1",
			`MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

preamble
--b
Content-Type: multipart/alternative; boundary="BOUNDARY"
Content-Transfer-Encoding: 8bit

--BOUNDARY
Content-Type: text/plain; charset=utf-8
X-Kept: yes
Content-Transfer-Encoding: 8bit

grüße
--BOUNDARY
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<p>gr=C3=BC=C3=9Fe</p>

--BOUNDARY--
--b

second
--b--
epilogue`,
		},
	}
	for _, tt := range tests {
		for _, eol := range []string{"\n", "\r\n"} {
			t.Run(tt.name+map[string]string{"\n": " LF", "\r\n": " CRLF"}[eol], func(t *testing.T) {
				raw := strings.ReplaceAll(tt.raw, "\n", eol)
				edited := addAlternative(t, raw, tt.number, html)
				m := Parse([]byte(edited), Limits{})
				boundary := ""
				for _, p := range parts(m.Root) {
					if p.MediaType == "multipart/alternative" {
						boundary = p.Params["boundary"]
					}
				}
				got := strings.ReplaceAll(edited, boundary, "BOUNDARY")
				if want := strings.ReplaceAll(tt.want, "\n", eol); got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			})
		}
	}
}
