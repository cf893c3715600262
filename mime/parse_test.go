package mime

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// outline writes the parts of a message one a line: number, media type and, for
// a leaf, its body; then the problems.
func outline(m *Message) string {
	var b strings.Builder
	for _, p := range parts(m.Root) {
		fmt.Fprintf(&b, "%s %s", p.Number, p.MediaType)
		if len(p.children) == 0 {
			fmt.Fprintf(&b, " %q", m.Body(p))
		}
		b.WriteByte('\n')
	}
	for i, reason := range m.Problems {
		fmt.Fprintf(&b, "! %s at %d\n", reason, m.offsets[i])
	}
	return b.String()
}

const mixed = "Content-Type: multipart/mixed; boundary=b\n\n"

func TestParseStructure(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"nothing", "", "1 text/plain \"\"\n"},
		{"header and body", "A: b\n\nbody\n", "1 text/plain \"body\\n\"\n"},
		{"body without final line end", "A: b\n\nbody", "1 text/plain \"body\"\n"},
		{"empty body", "A: b\n\n", "1 text/plain \"\"\n"},
		{"no header", "\nbody\n", "1 text/plain \"body\\n\"\n"},
		{"header without empty line", "A: b\nC: d", "1 text/plain \"\"\n"},
		{"no header line at all", "hello\nworld\n", "1 text/plain \"hello\\nworld\\n\"\n! malformed-header at 0\n"},
		{"malformed line in the header", "A: b\nhello\nC: d\n\nbody", "1 text/plain \"hello\\nC: d\\n\\nbody\"\n! malformed-header at 5\n"},
		{"continuation first", " x\nA: b\n\nbody", "1 text/plain \" x\\nA: b\\n\\nbody\"\n! malformed-header at 0\n"},
		{"white space line in the header", "A: b\n \nC: d\n\nbody", "1 text/plain \"body\"\n! blank-header-line at 5\n"},
		{"mbox line", "From a@b Mon Jan  1 00:00:00 2026\nA: b\n\nbody", "1 text/plain \"body\"\n! mbox-from-line at 0\n"},
		{"NUL in the header", "A: b\x00\n\nbody", "1 text/plain \"body\"\n! nul at 4\n"},
		{"bare CR in the header", "A: b\rC: d\n\nbody", "1 text/plain \"body\"\n! bare-cr at 4\n! cr-line-end at 4\n"},
		{"bare CR at the end of a field", "A: b\r \nC: d\n\nbody", "1 text/plain \"body\"\n! bare-cr at 4\n"},
		{"lines end in CR CR LF", "A: b\r\r\nC: d\r\r\n\r\r\nbody\r\r\n", "1 text/plain \"\\r\\r\\nbody\\r\\r\\n\"\n! bare-cr at 14\n"},
		{"deciding field behind a line of CR", "A: b\n\r\r\nContent-Type: text/html\n\nbody", "1 text/plain \"\\r\\r\\nContent-Type: text/html\\n\\nbody\"\n! malformed-header at 5\n"},
		{"CR before the line end", "A: b\n\r\r\nbody", "1 text/plain \"\\r\\r\\nbody\"\n! bare-cr at 5\n"},
		{"NUL in the body", "A: b\n\nbo\x00dy", "1 text/plain \"bo\\x00dy\"\n"},
		{"non-ASCII values", "A: grüße \xff\n\nbody", "1 text/plain \"body\"\n"},
		{"non-ASCII name", "ä: b\n\nbody", "1 text/plain \"ä: b\\n\\nbody\"\n! malformed-header at 0\n"},
		{"old white space before the colon", "A : b\n\nbody", "1 text/plain \"body\"\n! space-before-colon at 0\n"},
		{"white space before a deciding colon", "Content-Type : text/html\n\nbody", "1 text/html \"body\"\n! space-before-colon at 0\n! early-header-end at 0\n"},

		{"two parts", mixed + "pre\n--b\n\none\n--b\nA: b\n\ntwo\n\n--b--\nepi\n", "0 multipart/mixed\n1 text/plain \"one\"\n2 text/plain \"two\\n\"\n"},
		{"no preamble, no epilogue", mixed + "--b\n\none\n--b--", "0 multipart/mixed\n1 text/plain \"one\"\n"},
		{"CRLF", crlf(mixed + "--b\n\none\n--b--\n"), "0 multipart/mixed\n1 text/plain \"one\"\n"},
		{"mixed line ends", mixed + "--b\r\n\r\none\n--b\n\ntwo\r\n--b--\n", "0 multipart/mixed\n1 text/plain \"one\"\n2 text/plain \"two\"\n"},
		{"trailing blanks", mixed + "--b \t\n\none\n--b-- \n", "0 multipart/mixed\n1 text/plain \"one\"\n"},
		{"part without an empty line", mixed + "--b\nA: b\n--b--\n", "0 multipart/mixed\n1 text/plain \"\"\n"},
		{"part of one empty line", mixed + "--b\n\n--b--\n", "0 multipart/mixed\n1 text/plain \"\"\n"},
		{"part of two empty lines", mixed + "--b\n\n\n--b--\n", "0 multipart/mixed\n1 text/plain \"\"\n"},
		{"part of nothing", mixed + "--b\n--b--\n", "0 multipart/mixed\n1 text/plain \"\"\n! ambiguous-delimiter at 47\n"},
		{"nested part of nothing", mixed + "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n--b--\n", "0 multipart/mixed\n1 multipart/mixed\n1.1 text/plain \"\"\n! ambiguous-delimiter at 94\n! missing-close-delimiter at 47\n"},
		{"delimiter as the header goes on", mixed + "--b\nA: b\n c\n--b\n\ntwo\n--b--\n", "0 multipart/mixed\n1 text/plain \"\"\n2 text/plain \"two\"\n"},
		{"close delimiter in a header that says how to read a body", mixed + "--b\nContent-Type: text/html\n--b--\none\n", "0 multipart/mixed\n1 text/html \"\"\n! ambiguous-delimiter at 71\n"},
		{"delimiter in a header that says how to read a body", mixed + "--b\nContent-Type: text/html\n--b\n\none\n--b--\n", "0 multipart/mixed\n1 text/html \"\"\n2 text/plain \"one\"\n! ambiguous-delimiter at 71\n"},
		{"delimiter in the header of an encoded body", mixed + "--b\nContent-Transfer-Encoding: base64\n--b\nContent-Type: text/plain\n\none\n--b--\n", "0 multipart/mixed\n1 text/plain \"\"\n2 text/plain \"one\"\n! ambiguous-delimiter at 81\n"},
		{"part of a type alone", mixed + "--b\nContent-Type: text/html\n--b\nContent-Type: text/plain\n\none\n--b--\n", "0 multipart/mixed\n1 text/html \"\"\n2 text/plain \"one\"\n"},
		{"last part of a type alone", mixed + "--b\nContent-Type: text/html\n--b--\n\n", "0 multipart/mixed\n1 text/html \"\"\n"},
		{"only the close delimiter", mixed + "--b--\n", "0 multipart/mixed \"--b--\\n\"\n! missing-delimiter at 0\n"},
		{"no delimiter", mixed + "text\n", "0 multipart/mixed \"text\\n\"\n! missing-delimiter at 0\n"},
		{"no body", "Content-Type: multipart/mixed; boundary=b\n", "0 multipart/mixed \"\"\n! missing-delimiter at 0\n"},
		{"missing close delimiter", mixed + "--b\n\none\n", "0 multipart/mixed\n1 text/plain \"one\\n\"\n! missing-close-delimiter at 0\n"},
		{"message ends in a delimiter", mixed + "--b\n\none\n--b", "0 multipart/mixed\n1 text/plain \"one\"\n2 text/plain \"\"\n! missing-close-delimiter at 0\n"},
		{"delimiter after the close delimiter", mixed + "--b\n\none\n--b--\n--b\n\ntwo\n--b--\n", "0 multipart/mixed\n1 text/plain \"one\"\n! delimiter-after-close at 58\n"},
		{"line that begins with a delimiter", mixed + "--b\n\none\n--bc\n--b--\n", "0 multipart/mixed\n1 text/plain \"one\\n--bc\"\n! ambiguous-delimiter at 52\n"},
		{"line that begins with a close delimiter", mixed + "--b\n\none\n--b--c\n--b--\n", "0 multipart/mixed\n1 text/plain \"one\\n--b--c\"\n! alike-delimiter at 52\n"},
		{"delimiter after a bare CR", mixed + "--b\n\none\r--b\n--b--\n", "0 multipart/mixed\n1 text/plain \"one\\r--b\"\n! bare-cr at 51\n! cr-line-end at 51\n"},
		{"dashes after a bare CR", mixed + "--b\n\none\r--\n--b--\n", "0 multipart/mixed\n1 text/plain \"one\\r--\"\n! bare-cr at 51\n"},
		{"delimiter within a line", mixed + "--b\n\none --b\n--b--\n", "0 multipart/mixed\n1 text/plain \"one --b\"\n"},
		{"dashes", mixed + "-----\n--b\n\n--\n-- \n---\n\n--b--\n", "0 multipart/mixed\n1 text/plain \"--\\n-- \\n---\\n\"\n"},
		{"odd characters", "Content-Type: multipart/mixed; boundary=\"'()+_,-./:=? b\"\n\n--'()+_,-./:=? b\n\none\n--'()+_,-./:=? b--\n", "0 multipart/mixed\n1 text/plain \"one\"\n"},

		{
			"nested", mixed + "--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\none\n--c\nContent-Type: text/html\n\ntwo\n--c--\n--b\n\nthree\n--b--\n",
			"0 multipart/mixed\n1 multipart/alternative\n1.1 text/plain \"one\"\n1.2 text/html \"two\"\n2 text/plain \"three\"\n",
		},
		{
			"inner close delimiter missing", mixed + "--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\none\n--b\n\nthree\n--b--\n",
			"0 multipart/mixed\n1 multipart/alternative\n1.1 text/plain \"one\"\n2 text/plain \"three\"\n! missing-close-delimiter at 47\n",
		},
		{
			"inner boundary begins with the outer one", mixed + "--b\nContent-Type: multipart/alternative; boundary=bc\n\n--bc\n\none\n--bc--\n--b--\n",
			"0 multipart/mixed\n1 multipart/alternative\n1.1 text/plain \"one\"\n! alike-delimiter at 97\n",
		},
		{
			"outer boundary begins with the inner one", "Content-Type: multipart/mixed; boundary=bc\n\n--bc\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b--\n--bc--\n",
			"0 multipart/mixed\n1 multipart/mixed\n1.1 text/plain \"one\"\n! ambiguous-delimiter at 107\n",
		},
		{
			"boundary of the multipart around", mixed + "--b\n" + mixed + "--b\n\none\n--b--\n--b--\n",
			"0 multipart/mixed\n1 multipart/mixed\n1.1 text/plain \"one\"\n! reused-boundary at 47\n! ambiguous-delimiter at 90\n! delimiter-after-close at 105\n",
		},
		{
			"siblings with one boundary", mixed + "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\none\n--c--\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\ntwo\n--c--\n--b--\n",
			"0 multipart/mixed\n1 multipart/mixed\n1.1 text/plain \"one\"\n2 multipart/mixed\n2.1 text/plain \"two\"\n",
		},
		{
			"attached message", mixed + "--b\nContent-Type: message/rfc822\n\n" + strings.ReplaceAll(mixed, "=b", "=x") + "--x\n\none\n--x--\n--b--\n",
			"0 multipart/mixed\n1 message/rfc822 \"Content-Type: multipart/mixed; boundary=x\\n\\n--x\\n\\none\\n--x--\"\n",
		},
		{
			"digest", "Content-Type: multipart/digest; boundary=b\n\n--b\n\nA: b\n\none\n--b--\n",
			"0 multipart/digest\n1 message/rfc822 \"A: b\\n\\none\"\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := parse([]byte(tt.raw), Limits{})
			checkRanges(t, m)
			if diff := cmp.Diff(tt.want, outline(m)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseProblemsOfFields(t *testing.T) {
	tests := []struct {
		name, header string
		want         []Reason
	}{
		{"plain", "Content-Type: text/plain; charset=utf-8\nMIME-Version: 1.0\n", nil},
		{"comments", "Content-Type: text/plain (a \\) (b)); charset (c) = (d) utf-8 (e)\nMIME-Version: (x) 1.0 (y)\nContent-Transfer-Encoding: (z) 8bit\n", nil},
		{"semicolons", "Content-Type: text/plain;; charset=utf-8;\n", nil},
		{"two content types", "Content-Type: text/plain\nContent-Type: text/html\n", []Reason{reasonDuplicateContentType}},
		{"one content type twice", "Content-Type: text/plain\nContent-Type: text/plain\n", []Reason{reasonRepeatedField}},
		{"two encodings", "Content-Transfer-Encoding: 7bit\nContent-transfer-encoding: base64\n", []Reason{reasonDuplicateEncoding}},
		{"one encoding twice", "Content-Transfer-Encoding: 7bit\nContent-transfer-encoding: 7bit\n", []Reason{reasonRepeatedField}},
		{"two dispositions", "Content-Disposition: inline\nContent-Disposition: attachment\n", []Reason{reasonDuplicateDisposition}},
		{"two versions", "MIME-Version: 1.0\nMIME-Version: 2.0\n", []Reason{reasonMIMEVersion}},
		{"one version twice", "MIME-Version: 1.0\nMIME-Version: 1.0\n", []Reason{reasonRepeatedField}},
		{"other version", "MIME-Version: 2.0\n", []Reason{reasonMIMEVersion}},
		{"no subtype", "Content-Type: text\n", []Reason{reasonMalformedContentType}},
		{"empty", "Content-Type:\n", []Reason{reasonMalformedContentType}},
		{"space in a value", "Content-Type: text/plain; name=a b\n", []Reason{reasonMalformedContentType}},
		{"no value", "Content-Type: text/plain; charset=\n", []Reason{reasonMalformedContentType}},
		{"no equals sign", "Content-Type: text/plain; charset\n", []Reason{reasonMalformedContentType}},
		{"open quote", "Content-Type: text/plain; charset=\"utf-8\n", []Reason{reasonMalformedContentType}},
		{"open comment", "Content-Type: text/plain (charset=utf-8\n", []Reason{reasonMalformedContentType}},
		{"comma", "Content-Type: text/plain, text/html\n", []Reason{reasonMalformedContentType}},
		{"two charsets", "Content-Type: text/plain; charset=utf-8; charset=utf-8\n", []Reason{reasonRepeatedField}},
		{"two different charsets", "Content-Type: text/plain; charset=utf-8; charset=iso-8859-1\n", []Reason{reasonDuplicateParameter}},
		{"two equal names", "Content-Type: text/plain; name=a; name=a\n", nil},
		{"two names", "Content-Type: text/plain; name=a; name=b\n", []Reason{reasonDuplicateParameter}},
		{"two sections", "Content-Type: text/plain; name*0=a; name*0=b\n", []Reason{reasonDuplicateParameter}},
		{"name in both forms", "Content-Type: text/plain; name=a; name*=utf-8''b\n", nil},
		{"extended charset", "Content-Type: text/plain; charset*=us-ascii''utf-8\n", []Reason{reasonExtendedParameter}},
		{"charset in both forms", "Content-Type: text/plain; charset=a; charset*0=b\n", []Reason{reasonExtendedParameter, reasonDuplicateParameter}},
		{"two boundaries", "Content-Type: text/plain; boundary=b; boundary=b\n", []Reason{reasonRepeatedField}},
		{"two different boundaries", "Content-Type: text/plain; boundary=b; boundary=B\n", []Reason{reasonDuplicateBoundary}},
		{"boundary in sections", "Content-Type: text/plain; boundary*0=b; boundary*1=c\n", []Reason{reasonExtendedParameter}},
		{"missing boundary", "Content-Type: multipart/mixed\n", []Reason{reasonMissingBoundary}},
		{"empty boundary", "Content-Type: multipart/mixed; boundary=\"\"\n", []Reason{reasonMissingBoundary}},
		{"boundary ends in a space", "Content-Type: multipart/mixed; boundary=\"b \"\n", []Reason{reasonInvalidBoundary, reasonMissingDelimiter}},
		{"boundary with a backslash", "Content-Type: multipart/mixed; boundary=\"b\\\\c\"\n", []Reason{reasonInvalidBoundary, reasonMissingDelimiter}},
		{"boundary in quoted letters", "Content-Type: multipart/mixed; boundary=\"\\b\"\n\n--b\n\n--b--\n", []Reason{reasonInvalidBoundary}},
		{"boundary with a comment", "Content-Type: multipart/mixed; boundary=b(c)\n\n--b\n\n--b--\n", []Reason{reasonInvalidBoundary}},
		{"quoted boundary with a comment", "Content-Type: multipart/mixed; boundary=\"b\" (c); a=b\n\n--b\n\n--b--\n", []Reason{reasonInvalidBoundary}},
		{"charset in quoted letters", "Content-Type: text/plain; charset=\"utf\\-8\"\n", []Reason{reasonMalformedContentType}},
		{"name in quoted letters", "Content-Type: text/plain; name=\"a\\\"b\" (c)\n", nil},
		{"long boundary", "Content-Type: multipart/mixed; boundary=" + strings.Repeat("b", 71) + "\n", []Reason{reasonInvalidBoundary, reasonMissingDelimiter}},
		{"encoded multipart", "Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n", []Reason{reasonEncodedMultipart, reasonMissingDelimiter}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := parse([]byte(tt.header+"\n"), Limits{})
			checkRanges(t, m)
			if diff := cmp.Diff(tt.want, m.Problems); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// values returns the values of the message's fields with a name, in any case.
func values(m *Message, name string) []string {
	var values []string
	for _, f := range m.Root.Fields {
		if f.named(name) {
			values = append(values, m.FieldValue(f))
		}
	}
	return values
}

func TestParseDescription(t *testing.T) {
	tests := []struct {
		name, header                               string
		mediaType, encoding, disposition, filename string
	}{
		{"defaults", "", "text/plain", "7bit", "", ""},
		{"case", "CONTENT-TYPE: Text/HTML\nContent-Transfer-Encoding: Quoted-Printable\nContent-Disposition: Attachment\n", "text/html", "quoted-printable", "attachment", ""},
		{"folded", "Content-Type:\n text/plain;\n\tname=\"a\n b\"\n", "text/plain", "7bit", "", "a b"},
		{"malformed type is the default", "Content-Type: foo; name=x\n", "text/plain", "7bit", "", "x"},
		{"disposition goes first", "Content-Type: a/b; name=x\nContent-Disposition: inline; filename=y\n", "a/b", "7bit", "inline", "y"},
		{"name of the type", "Content-Type: a/b; name=x\nContent-Disposition: inline\n", "a/b", "7bit", "inline", "x"},
		{"encoded word", "Content-Disposition: inline; filename=\"=?utf-8?q?gr=C3=BC=C3=9Fe.txt?=\"\n", "text/plain", "7bit", "inline", "grüße.txt"},
		{"RFC 2231", "Content-Disposition: inline; filename=x; filename*=iso-8859-1'de'gr%FC%DFe.txt\n", "text/plain", "7bit", "inline", "grüße.txt"},
		{"RFC 2231 sections", "Content-Disposition: inline; filename*1=%2e; filename*0*=utf-8''gr%C3%BC; filename*2*=%C3%9Fe\n", "text/plain", "7bit", "inline", "grü%2eße"},
		{"RFC 2231 unknown charset", "Content-Disposition: inline; filename*=x-y''a%41\n", "text/plain", "7bit", "inline", "aA"},
		{"RFC 2231 no charset", "Content-Disposition: inline; filename*=a%4\n", "text/plain", "7bit", "inline", "a%4"},
		{"quoted pairs", "Content-Disposition: inline; filename=\"a\\\"\\b\"\n", "text/plain", "7bit", "inline", `a"b`},
		{"unquoted file name", "Content-Disposition: attachment; filename=my file.pdf ; x=y\n", "text/plain", "7bit", "attachment", "my file.pdf"},
		{"first of two", "Content-Type: a/b\nContent-Type: c/d\nContent-Transfer-Encoding: 8bit\nContent-Transfer-Encoding: 7bit\n", "a/b", "8bit", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse([]byte(tt.header+"\n"), Limits{}).Root
			got := []string{p.MediaType, p.encoding, p.disposition, p.Filename}
			want := []string{tt.mediaType, tt.encoding, tt.disposition, tt.filename}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFields(t *testing.T) {
	raw := "Subject: a\r\n b\r\n\tc \r\nX-Empty:\r\nsubject:d\r\nX: =?utf-8*de?q?gr=C3=BC=C3=9Fe?= =?x-none?q?a=FF?= =?x\r\n\r\nbody"
	m := parse([]byte(raw), Limits{})
	checkRanges(t, m)
	var got []string
	for _, f := range m.Root.Fields {
		got = append(got, f.Name, m.FieldValue(f), m.DecodedValue(f))
	}
	want := []string{
		"Subject", "a b\tc", "a b\tc",
		"X-Empty", "", "",
		"subject", "d", "d",
		"X", "=?utf-8*de?q?gr=C3=BC=C3=9Fe?= =?x-none?q?a=FF?= =?x", "grüßea\uFFFD =?x",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a b\tc", "d"}, values(m, "SUBJECT")); diff != "" {
		t.Error(diff)
	}
	if got := m.Root.count("SUBJECT"); got != 2 {
		t.Errorf("Count = %d, want 2", got)
	}
}

func TestLineEnd(t *testing.T) {
	for raw, want := range map[string]string{"": "\r\n", "a": "\r\n", "\n": "\n", "\r\n": "\r\n", "a: b\nc: d\r\n": "\n", "a: b\r\n\n": "\r\n"} {
		if got := parse([]byte(raw), Limits{}).eol(); got != want {
			t.Errorf("%q: got %q, want %q", raw, got, want)
		}
	}
}

// TestWithout removes fields, among them one that makes the message ambiguous.
func TestWithout(t *testing.T) {
	m := parse([]byte("A: 1\nContent-Type: text/html\nContent-Type: text/plain\n x\nB: 2\n\nbody"), Limits{})
	if want := []Reason{reasonDuplicateContentType}; !slices.Equal(m.Problems, want) {
		t.Fatalf("problems %v", m.Problems)
	}
	if got := string(m.RawField(m.Root.Fields[2])); got != "Content-Type: text/plain\n x\n" {
		t.Errorf("field %q", got)
	}
	rest := m.Without([]int{0, 2})
	checkRanges(t, rest)
	if got := string(rest.Raw); got != "Content-Type: text/html\nB: 2\n\nbody" || len(rest.Problems) > 0 || rest.Root.MediaType != "text/html" {
		t.Errorf("%q, problems %v, %s", got, rest.Problems, rest.Root.MediaType)
	}
	if len(m.Root.Fields) != 4 {
		t.Error("the message changed")
	}
	cut := parsePrefix([]byte("A: 1\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\ntext"), Limits{}).Without([]int{0})
	if len(cut.Problems) > 0 {
		t.Errorf("the beginning of a message without a field: problems %v", cut.Problems)
	}
}

// TestDecodedValueEnds: once the context has ended, a field with many encoded words takes no more
// time.
func TestDecodedValueEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	const value = "=?iso-8859-2?q?a=b1?="
	m := Parse(ctx, []byte("X: "+value+"\n\n"), Limits{})
	if got := m.DecodedValue(m.Root.Fields[0]); got != "aą" {
		t.Errorf("before: %q", got)
	}
	cancel()
	if got := m.DecodedValue(m.Root.Fields[0]); got != value {
		t.Errorf("after: %q", got)
	}
}
