package mime

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/charset"
)

// contentsOf returns the contents that programs may make of a body.
func contentsOf(tb testing.TB, fields, body string) (contents []string, reason error) {
	tb.Helper()
	m := parse([]byte("Content-Transfer-Encoding: "+fields+"\r\n\r\n"+body), Limits{})
	for content, err := range m.Contents(m.Root) {
		contents, reason = append(contents, string(content)), err
	}
	return contents, reason
}

func TestContents(t *testing.T) {
	const delSp = "\r\nContent-Type: text/plain; format=flowed; delsp=yes"
	for _, test := range []struct {
		field, body string
		reason      Reason
		want        []string
	}{
		{"7bit", "a", "", []string{"a"}},
		{"base64", "YWJj", "", []string{"abc"}},
		{"base64", "YWJj\r\nZGVmZ", reasonInvalidBase64, []string{"abcdef"}},
		{"base64", "YQ==\r\nYg==", reasonInvalidBase64, []string{"a", "ab"}},
		{"base64", "YWI=\r\n--\r\nlist", reasonInvalidBase64, []string{"ab"}},
		{"base64", "Y!W J\x80j", reasonInvalidBase64, []string{"abc"}},
		{"base64", "Pz8_", reasonInvalidBase64, []string{"???"}},
		{"base64", "plain text", reasonInvalidBase64, []string{"plain text"}},
		{"base64; x", "YWJj", reasonMisspeltEncoding, []string{"abc", "YWJj"}},
		{"x-none", "YWJjYWJjYWJj", reasonUnknownEncoding, []string{"abcabcabc", "YWJjYWJjYWJj"}},
		{"x-none", "a=3Db", reasonUnknownEncoding, []string{"a=b", "a=3Db"}},
		{"quoted-printable", "?a=xy=C3=BC=\r\nb= \n=", reasonInvalidQuotedPrintable, []string{"?a=xyüb=", "?axyüb"}},
		{"8bit\r\nContent-Transfer-Encoding: base64", "YWJj", reasonDuplicateEncoding, []string{"YWJj", "abc"}},
		{"quoted-printable" + delSp, "http://pay \r\npa1.com", reasonInvalidQuotedPrintable, []string{"http://pay\r\npa1.com", "http://pay \r\npa1.com"}},
		{"quoted-printable" + delSp, "a\t\nb=20\n", reasonInvalidQuotedPrintable, []string{"a\nb \n", "a\t\nb \n"}},
		{"quoted-printable" + delSp, "a=20\r\nb= \r\nc\r\n", "", []string{"a \r\nbc\r\n"}},
		{"quoted-printable\r\nContent-Type: text/plain; format=flowed", "a \r\nb", "", []string{"a\r\nb"}},
		{"quoted-printable\r\nContent-Type: text/html; format=flowed; delsp=yes", "a \r\nb", "", []string{"a\r\nb"}},
		{"uuencode", "begin 644 a\r\n#86)C\r\n`\r\nend\r\n", reasonMisspeltEncoding, []string{"abc"}},
		{"uuencode", "begin-base64 644 a\r\nYWJj\r\n====\r\n", reasonMisspeltEncoding, []string{"abc"}},
	} {
		got, err := contentsOf(t, test.field, test.body)
		if test.reason == "" != (err == nil) {
			t.Errorf("%s: error %v", test.field, err)
		} else if err != nil {
			wantReason(t, err, test.reason)
		}
		for _, want := range test.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s %q: %q, without %q", test.field, test.body, got, want)
			}
		}
	}
}

func TestNames(t *testing.T) {
	for _, test := range []struct {
		fields string
		want   []string
	}{
		{"Content-Type: a/b; name=x.html", []string{"x.html"}},
		{"Content-Type: a/b; name=x.html\r\nContent-Disposition: attachment; filename=y.png", []string{"y.png", "x.html"}},
		{"Content-Disposition: attachment; filename*=utf-8''login%2Ehtml", []string{"login.html"}},
		{"Content-Disposition: attachment; filename*0=log; filename*1=\"in.html\"", []string{"login.html"}},
		{"Content-Disposition: attachment; filename=\"=?utf-8?B?bG9naW4uaHRtbA==?=\"", []string{"login.html"}},
		{"Content-Disposition: attachment; filename=a.png; filename=b.html", []string{"a.png", "b.html"}},
		{"Content-Disposition: attachment; filename=a.png; filename*=utf-8''b.html", []string{"a.png", "b.html"}},
		{"Content-Disposition: attachment; filename=login%2Ehtml", []string{"login.html"}},
		{"Content-Disposition: attachment; filename*1=log; filename*2=in.html", []string{"login.html"}},
		{"Content-Disposition: attachment; filename*0=log; filename*3*=in%2Ehtml", []string{"login.html"}},
		{"Content-Disposition: attachment; filename*01*=in%2Ehtml; filename*00*=utf-8'en'log", []string{"login.html"}},
		{"Content-Disposition: filename=\"x.html\"", []string{"x.html"}},
		{"Content-Disposition: attachment filename=x.html", []string{"x.html"}},
		{"Content-Type: text/plain, Name = \"x.html\"; charset=utf-8", []string{"x.html"}},
		{"Content-Type: text/plain; name=\"x.html%00.txt\"", []string{"x.html"}},
		{"Content-Name: x.html", []string{"x.html"}},
		{"X-Sun-Data-Name: x.html", []string{"x.html"}},
		{"Content-Description: =?utf-8?q?x=2Ehtml?=", []string{"x.html"}},
		{"Content-Location: x%2Ehtml", []string{"x.html"}},
		{"Content-Type: text/plain", nil},
	} {
		m := parse([]byte(test.fields+"\r\n\r\n"), Limits{})
		got := m.Names(m.Root)
		for _, want := range test.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s: %q, without %q", test.fields, got, want)
			}
		}
		if test.want == nil && len(got) > 0 {
			t.Errorf("%s: %q", test.fields, got)
		}
	}
}

// TestManyNames: each name is returned once. With many names, each takes no more time than with
// few.
func TestManyNames(t *testing.T) {
	const fields = 50_000
	var b strings.Builder
	for i := range fields {
		fmt.Fprintf(&b, "Content-Name: a%d\r\nContent-Location: a%d\r\n", i, i/2)
	}
	m := parse([]byte(b.String()+"\r\n"), Limits{HeaderBytes: 4 << 20})
	start := time.Now()
	names := m.Names(m.Root)
	if took := time.Since(start); len(names) != fields || took > 2*time.Second {
		t.Errorf("%d names in %v", len(names), took)
	}
}

func TestBeginnings(t *testing.T) {
	content := strings.Repeat("0123456789", 1000)
	encoded := base64.StdEncoding.EncodeToString([]byte(content))
	for _, encoding := range []string{"base64", "base64;", "x-base64"} {
		m := parse([]byte("Content-Transfer-Encoding: "+encoding+"\r\n\r\n"+encoded), Limits{})
		if heads := m.Beginnings(m.Root, 100); len(heads[0]) < 90 || !strings.HasPrefix(content, string(heads[0])) {
			t.Errorf("%s: %.20q", encoding, heads)
		}
	}
	m := parse([]byte("Content-Transfer-Encoding: x\r\n\r\nabc"), Limits{})
	if heads := m.Beginnings(m.Root, 100); len(heads) != 1 || string(heads[0]) != "abc" {
		t.Errorf("%q", heads)
	}
}

// FuzzContents takes any body under any encoding: contents are few and no longer than the
// body, the body as written is one but for quoted-printable, and noise between the digits of base64
// hides nothing.
func FuzzContents(f *testing.F) {
	const planted = "http://paypa1.com/login"
	for _, encoding := range []string{"base64", "base64;", "\"base64\"", "quoted-printable", "uuencode", "x-unknown", "7bit"} {
		f.Add(encoding, []byte("=\r\n"), []byte("!\r\n\x80"))
		f.Add(encoding, []byte("YQ==\r\n"), []byte("="))
	}
	f.Fuzz(func(t *testing.T, encoding string, before, noise []byte) {
		if strings.ContainsAny(encoding, "\r\n") || len(before)+len(noise) > 10_000 {
			return
		}
		digits := []byte(base64.StdEncoding.EncodeToString([]byte(planted + " ")))
		noise = bytes.Map(func(r rune) rune {
			if r < 0x80 && charset.IsBase64(byte(r)) || r == '=' || r == '-' || r == '_' {
				return ' '
			}
			return r
		}, noise)
		body := string(before) + "\r\n" + string(bytes.Join(bytes.Split(digits, nil), noise))
		contents, err := contentsOf(t, encoding, body)
		if len(contents) > 16 {
			t.Errorf("%d contents", len(contents))
		}
		for _, content := range contents {
			if len(content) > len(body) {
				t.Errorf("%d bytes of %d", len(content), len(body))
			}
		}
		if err != nil && looseEncoding(encoding) != "quoted-printable" && !slices.Contains(contents, body) {
			t.Errorf("%q: not as written", contents)
		}
		if looseEncoding(encoding) == "base64" && len(bytes.TrimSpace(before)) == 0 && !slices.ContainsFunc(contents, func(c string) bool { return strings.Contains(c, planted) }) {
			t.Errorf("not found in %q", contents)
		}
	})
}
