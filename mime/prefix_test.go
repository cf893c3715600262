package mime

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

// TestPrefix cuts messages off at each byte: the parser reads what is left as the same parts, never
// as others.
func TestPrefix(t *testing.T) {
	const text = "Grüße aus 東京: see https://example.com/%C3%BC = x  \r\nund mehr\r\n"
	encode := func(data string) map[string]string {
		q := &quotedPrintable{eol: "\r\n"}
		for line := range strings.Lines(data) {
			q.add([]byte(strings.TrimSuffix(line, "\r\n")), true)
			q.lineEnd()
		}
		b := &base64Lines{eol: "\r\n"}
		b.add([]byte(data))
		b.flush()
		return map[string]string{"8bit": data, "quoted-printable": string(q.dst), "base64": string(b.dst) + "\r\n"}
	}
	utf16, err := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	sjis, err := japanese.ShiftJIS.NewEncoder().String(strings.ReplaceAll(text, "Grüße", "東"))
	if err != nil {
		t.Fatal(err)
	}
	for charset, data := range map[string]string{"utf-8": text, "shift_jis": sjis, "utf-16": utf16} {
		for encoding, body := range encode(data) {
			if charset == "utf-16" && encoding != "base64" {
				continue
			}
			header := "Content-Type: text/plain; charset=" + charset + "\r\nContent-Transfer-Encoding: " + encoding + "\r\n\r\n"
			raw := header + body
			whole := parse([]byte(raw), Limits{})
			want, err := whole.leafText(whole.Root)
			if err != nil {
				t.Fatalf("%s in %s: %v", charset, encoding, err)
			}
			for n := len(header); n <= len(raw); n++ {
				m := parsePrefix([]byte(raw[:n]), Limits{})
				got, err := m.leafText(m.Root)
				if err != nil && (charset != "utf-16" || n > len(header)+4) {
					t.Fatalf("%s in %s after %d bytes: %v", charset, encoding, n, err)
				}
				// If a soft line break is cut off, the space before its "=" may belong to the end
				// of the line.
				if !strings.HasPrefix(want.content, got.content) || len(want.content)-len(got.content) > 4*(len(raw)-n)+8 {
					t.Fatalf("%s in %s after %d of %d bytes: %q", charset, encoding, n, len(raw), got.content)
				}
			}
		}
	}
}

// TestPrefixStructure: a missing end is no problem, but edits are refused.
func TestPrefixStructure(t *testing.T) {
	inner := "Content-Type: multipart/alternative; boundary=c\n\n--c\n" + utf8Type + qpField + "\ngr=C3=BC"
	raw := mixed + "preamble\n--b\nContent-Type: message/rfc822\n\n" + inner
	m := parsePrefix([]byte(raw), Limits{})
	if len(m.Problems) > 0 {
		t.Errorf("problems %v", m.Problems)
	}
	attached, err := embedded(m, part(t, m, "1"))
	if err != nil || len(attached.Problems) > 0 {
		t.Fatalf("%v, problems %v", err, attached.Problems)
	}
	text, err := attached.leafText(part(t, attached, "1"))
	if err != nil || text.content != "grü" {
		t.Errorf("text %q, %v", text.content, err)
	}
	cut := parsePrefix([]byte("\nsee x"), Limits{})
	var plan Plan
	wantPlanReason(t, cut.AddAlternative(&plan, cut.Root, sourceOf("<p>")), reasonCut)
	wantPlanReason(t, cut.RewriteText(&plan, cut.Root, []Edit{{0, 1, []byte("x")}}), reasonCut)
	if m := parse([]byte(raw), Limits{}); !m.doubtful(reasonMissingCloseDelimiter) {
		t.Errorf("problems %v", m.Problems)
	}
}

func parsePrefix(raw []byte, lim Limits) *Message {
	m := new(Message)
	m.Parse(context.Background(), raw, lim, true)
	return m
}
