package mime

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// textEdits returns edits of text that replace each first string by the second.
func textEdits(t testing.TB, text string, pairs ...string) []Edit {
	t.Helper()
	var edits []Edit
	pos := 0
	for i := 0; i < len(pairs); i += 2 {
		at := strings.Index(text[pos:], pairs[i])
		if at < 0 {
			t.Fatalf("%q is not in %q", pairs[i], text[pos:])
		}
		edits = append(edits, Edit{pos + at, pos + at + len(pairs[i]), []byte(pairs[i+1])})
		pos += at + len(pairs[i])
	}
	return edits
}

// TestSevenBitRewrite encodes 8-bit texts in 7 bits, with and without edits, as for a message that
// is to be signed.
func TestSevenBitRewrite(t *testing.T) {
	const header = "From: a@example.com\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
	devanagari := strings.Repeat("महात्मा गांधी\n", 5)
	for _, test := range []struct {
		name, raw string
		pairs     []string
		encoding  string // transfer encoding of the text; "": nothing is planned
	}{
		{"few characters", header + "grün %41 ist\n", nil, "quoted-printable"},
		{"with an edit", header + "grün %41 ist\n", []string{"%41", "A"}, "quoted-printable"},
		{"mostly beyond ASCII", header + devanagari, nil, "base64"},
		{"mostly beyond ASCII, with an edit", header + devanagari + "%E0%A4%AE\n", []string{"%E0%A4%AE", "म"}, "base64"},
		{"ASCII", header + "green\n", nil, ""},
		{"declared 7bit", strings.Replace(header, "8bit", "7bit", 1) + "green\n", nil, ""},
		{"quoted-printable", strings.Replace(header, "8bit", "quoted-printable", 1) + "gr=C3=BCn\n", nil, ""},
		{"a charset of its own", strings.Replace(header, "utf-8", "iso-8859-15", 1) + "gr\xfcn\n", nil, "quoted-printable"},
		{"in a part", "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\ngrün wie immer\n--b--\n", nil, "quoted-printable"},
	} {
		for _, raw := range []string{test.raw, crlf(test.raw)} {
			for _, html := range []string{"", "<p>x</p>"} {
				m := parse([]byte(raw), Limits{})
				leaf := part(t, m, "1")
				text, err := m.leafText(leaf)
				if err != nil {
					t.Fatal(err)
				}
				plan := Plan{SevenBit: true}
				edits := textEdits(t, text.unflowed(), test.pairs...)
				if err := m.RewriteText(&plan, leaf, edits); err != nil {
					t.Fatal(err)
				}
				if plan.Empty() != (test.encoding == "") {
					t.Errorf("%s: planned %t", test.name, !plan.Empty())
				}
				if test.encoding == "" {
					continue
				}
				if html != "" {
					if err := m.AddAlternative(&plan, leaf, sourceOf(html)); err != nil {
						t.Fatal(err)
					}
				}
				edited, _, err := m.Apply(plan)
				if err != nil {
					t.Fatal(err)
				}
				if err := m.Verify(plan, edited); err != nil {
					t.Fatalf("%s: %v in\n%s", test.name, err, edited)
				}
				again := parse(edited, Limits{})
				var first *Part
				for leaf := range again.Leaves() {
					first = leaf
					break
				}
				got, err := again.leafText(first)
				if want := spliced(text.content, edits); err != nil || normalised(got.content) != normalised(want) || first.encoding != test.encoding {
					t.Errorf("%s: %q in %s (%v), want %q in %s", test.name, got.content, first.encoding, err, want, test.encoding)
				}
				if !ascii.Is(edited) || bytes.Contains(edited, []byte("8bit")) {
					t.Errorf("%s: not 7-bit:\n%s", test.name, edited)
				}
			}
		}
	}
}

// rewriteText replaces strings in the text of a leaf, and adds HTML unless it is "". It verifies
// the edit and returns the edited message.
func rewriteText(t testing.TB, raw, number, html string, pairs ...string) string {
	t.Helper()
	m := parse([]byte(raw), Limits{})
	leaf := part(t, m, number)
	text, err := m.leafText(leaf)
	if err != nil {
		t.Fatal(err)
	}
	var plan Plan
	edits := textEdits(t, text.unflowed(), pairs...)
	if err := m.RewriteText(&plan, leaf, edits); err != nil {
		t.Fatal(err)
	}
	if html != "" {
		if err := m.AddAlternative(&plan, leaf, sourceOf(html)); err != nil {
			t.Fatal(err)
		}
	}
	edited, _, err := m.Apply(plan)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(plan, edited); err != nil {
		t.Fatalf("%v in\n%s", err, edited)
	}
	want := spliced(text.unflowed(), edits)
	for leaf := range parse(edited, Limits{}).Leaves() {
		got, err := parse(edited, Limits{}).leafText(leaf)
		if err == nil && normalised(got.unflowed()) == normalised(want) {
			return string(edited)
		}
	}
	t.Fatalf("no part says %q:\n%s", want, edited)
	return ""
}

// TestRewriteText replaces each x by its second form and compares whole messages. All other bytes
// stay.
func TestRewriteText(t *testing.T) {
	const mime10 = "MIME-Version: 1.0\n"
	tests := []struct {
		name, raw string
		pairs     []string
		want      string
	}{
		{
			"8bit", mime10 + utf8Type + eightBit + "\nsee %C3%BC  \nünd\n",
			[]string{"%C3%BC", "ü"},
			mime10 + utf8Type + eightBit + "\nsee ü  \nünd\n",
		},
		{
			"ASCII for ASCII", "A: b\n\nsee %41\n",
			[]string{"%41", "A"},
			"A: b\n\nsee A\n",
		},
		{
			"7bit without a header", "A: b\n\nsee %C3%BC\n",
			[]string{"%C3%BC", "ü"},
			"A: b\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n" + mime10 + "\nsee =C3=BC\n",
		},
		{
			"7bit in ISO 8859-1 stays", mime10 + "Content-Type: text/plain; charset=\"ISO-8859-1\"\n\nsee %C3%BC\n",
			[]string{"%C3%BC", "ü"},
			mime10 + "Content-Type: text/plain; charset=\"ISO-8859-1\"\nContent-Transfer-Encoding: quoted-printable\n\nsee =FC\n",
		},
		{
			"charset in a folded field", mime10 + "Content-Type: text/plain;\n charset=\"us-ascii\" (x); format=fixed\nContent-Transfer-Encoding: 7bit\n\nsee %C3%BC\n",
			[]string{"%C3%BC", "ü"},
			mime10 + "Content-Type: text/plain; charset=utf-8 (x); format=fixed\nContent-Transfer-Encoding: quoted-printable\n\nsee =C3=BC\n",
		},
		{
			"no charset parameter", mime10 + "Content-Type: text/plain; format=flowed\n\nsee \n%C3%BC\n",
			[]string{"%C3%BC", "ü"},
			mime10 + "Content-Type: text/plain; charset=utf-8; format=flowed\nContent-Transfer-Encoding: quoted-printable\n\nsee=20\n=C3=BC\n",
		},
		{
			"base64 is shorter", mime10 + utf8Type + "\n%E6%97%A5%E6%9C%AC%E8%AA%9E%E6%97%A5%E6%9C%AC%E8%AA%9E\n",
			[]string{"%E6%97%A5%E6%9C%AC%E8%AA%9E%E6%97%A5%E6%9C%AC%E8%AA%9E", "日本語日本語"},
			mime10 + utf8Type + b64Field + "\n5pel5pys6Kqe5pel5pys6KqeDQo=\n",
		},
		{
			"MD5 and length go", "Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==\nContent-Length: 12\n\nsee %41\n",
			[]string{"%41", "A"},
			"\nsee A\n",
		},
		{
			"quoted-printable: other lines stay", mime10 + utf8Type + qpField + "\n=41=62c \t\nsee =25C3=\n%BC =3D\nno=74 me=\n!\n",
			[]string{"%C3%BC", "ü"},
			mime10 + utf8Type + qpField + "\n=41=62c \t\nsee =C3=BC =3D\nno=74 me=\n!\n",
		},
		{
			"quoted-printable: encoded line ends stay encoded", mime10 + utf8Type + qpField + "\na=0D=0Ab=0A%41=0A\nc\n",
			[]string{"%41", "A"},
			mime10 + utf8Type + qpField + "\na=0D=0Ab=0AA=0A\nc\n",
		},
		{
			"quoted-printable: soft line breaks in the link", mime10 + utf8Type + qpField + "\nx %E0%A4%AE=\n%E0%A4%B9 =\ny\n%41",
			[]string{"%E0%A4%AE%E0%A4%B9", "मह", "%41", "A"},
			mime10 + utf8Type + qpField + "\nx =E0=A4=AE=E0=A4=B9 =\ny\nA",
		},
		{
			"quoted-printable: a soft line break at the end", mime10 + utf8Type + qpField + "\na\nx %41=\n",
			[]string{"%41", "A"},
			mime10 + utf8Type + qpField + "\na\nx A=\n",
		},
		{
			"quoted-printable: a soft line break at the end stays behind another line", mime10 + utf8Type + qpField + "\n%41\nx=\n",
			[]string{"%41", "A"},
			mime10 + utf8Type + qpField + "\nA\nx=\n",
		},
		{
			"quoted-printable in another charset", mime10 + "Content-Type: text/plain; charset=iso-8859-1\n" + qpField + "\ngr=FC=DFe\n%E0%A4%AE\n",
			[]string{"%E0%A4%AE", "म"},
			mime10 + utf8Type + qpField + "\ngr=C3=BC=C3=9Fe\n=E0=A4=AE\n",
		},
		{
			"base64", mime10 + utf8Type + b64Field + "\nc2VlICVDMyVCQwo=\n\n",
			[]string{"%C3%BC", "ü"},
			mime10 + utf8Type + b64Field + "\nc2VlIMO8Cg==\n\n",
		},
		{
			"flowed: soft breaks and stuffing stay", mime10 + "Content-Type: text/plain; charset=utf-8; format=flowed\n" + eightBit + "\n From \n me \n>%41 \n> b \n>  %42\n",
			[]string{"%41", "A", "%42", "B"},
			mime10 + "Content-Type: text/plain; charset=utf-8; format=flowed\n" + eightBit + "\n From \n me \n>A \n> b \n>  B\n",
		},
		{
			"DelSp: a link over soft breaks", mime10 + "Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\n" + eightBit + "\n> see %E0%A4 \n> %AE now \n> %41\n",
			[]string{"%E0%A4%AE", "म", "%41", "A"},
			mime10 + "Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\n" + eightBit + "\n> see म now \n> A\n",
		},
		{
			"mixed line ends stay", mime10 + utf8Type + eightBit + "\na\r\n%41\r\n%42\n",
			[]string{"%41", "A", "%42", "B"},
			mime10 + utf8Type + eightBit + "\na\r\nA\r\nB\n",
		},
		{
			"mixed line ends stay in quoted-printable", mime10 + utf8Type + "\na\r\n%C3%BC\r\nb\n",
			[]string{"%C3%BC", "ü"},
			mime10 + utf8Type + qpField + "\na\r\n=C3=BC\r\nb\n",
		},
		{
			"a nested part without a header", mixed + "--b\n\nplease see %C3%BC\n--b--\n",
			[]string{"%C3%BC", "ü"},
			mixed + "--b\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nplease see =C3=BC\n--b--\n",
		},
		{
			"a nested part with a header", mixed + "--b\nContent-MD5: x\nX-A:  b\ncontent-TYPE:text/plain;charset=US-ASCII (;)\nContent-transfer-encoding: (x)\n 7bit\nX: y\n\nplease see %C3%BC\n--b--\n",
			[]string{"%C3%BC", "ü"},
			mixed + "--b\nX-A:  b\ncontent-TYPE:text/plain;charset=utf-8 (;)\nContent-transfer-encoding: quoted-printable\nX: y\n\nplease see =C3=BC\n--b--\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := parse([]byte(tt.raw), Limits{})
			number := "1"
			got := rewriteText(t, tt.raw, number, "", tt.pairs...)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if !bytes.Contains(m.Raw, []byte("\r\n")) && tt.name != "quoted-printable: encoded line ends stay encoded" && !strings.Contains(tt.want, "base64") {
				if got := rewriteText(t, crlf(tt.raw), number, "", tt.pairs...); got != crlf(tt.want) {
					t.Errorf("with CRLF %q, want %q", got, crlf(tt.want))
				}
			}
			rewriteText(t, tt.raw, number, "<p>x</p>\n", tt.pairs...)
		})
	}
}

// TestRewriteCharsets replaces a link in a text of each kind of charset. The charset stays if it
// has all letters of the new text; else it becomes UTF-8.
func TestRewriteCharsets(t *testing.T) {
	for _, tt := range []struct {
		name, charset, encoding string
		enc                     encoding.Encoding
		text, new, want         string
	}{
		{"one byte a character", "koi8-r", "8bit", charmap.KOI8R, "Привет %41 мир\nдва\n", "Ж", "koi8-r"},
		{"one byte, not held", "koi8-r", "8bit", charmap.KOI8R, "Привет %41 мир\nдва\n", "म", "utf-8"},
		{"shifted", "iso-2022-jp", "7bit", japanese.ISO2022JP, "東京\nは %41 です\n日本\n", "都", "iso-2022-jp"},
		{"shifted, not held", "iso-2022-jp", "7bit", japanese.ISO2022JP, "東京\nは %41 です\n日本\n", "म", "utf-8"},
		{"two bytes", "shift_jis", "8bit", japanese.ShiftJIS, "表示\nは%41です\n", "都", "shift_jis"},
		{"two bytes in base64", "shift_jis", "base64", japanese.ShiftJIS, "表示\nは%41です\n", "都", "shift_jis"},
		{"two bytes in quoted-printable", "euc-jp", "quoted-printable", japanese.EUCJP, "表示\nは%41です\n", "都", "euc-jp"},
		{"two bytes in quoted-printable, not held", "euc-jp", "quoted-printable", japanese.EUCJP, "表示\nは%41です\n", "म", "utf-8"},
		{"Big5", "big5", "8bit", traditionalchinese.Big5, "參考%41。\n", "文", "big5"},
		{"kana in Big5", "big5", "8bit", traditionalchinese.Big5, "參考%41。\n", "の", "utf-8"},
		{"Cyrillic in Big5", "big5", "quoted-printable", traditionalchinese.Big5, "參考%41。\n", "文М", "utf-8"},
		{"kana that were in Big5", "big5", "base64", traditionalchinese.Big5, "參考の%41。\n", "文", "big5"},
		{"KOI8-U", "koi8-u", "8bit", charmap.KOI8U, "Текст%41.\n", "ї", "koi8-u"},
		{"Belarusian in KOI8-U", "koi8-u", "8bit", charmap.KOI8U, "Текст%41.\n", "ў", "utf-8"},
		{"UTF-16", "utf-16", "base64", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "表示\nは%41です\n", "म", "utf-16"},
		{"UTF-16 in quoted-printable", "utf-16be", "quoted-printable", unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "表示\nは%41です\n", "म", "utf-16be"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			encoded, err := tt.enc.NewEncoder().String(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			q := &quotedPrintable{eol: "\n"}
			q.add([]byte(encoded), true)
			b := &base64Lines{eol: "\n"}
			b.add([]byte(encoded))
			b.flush()
			body := map[string]string{"7bit": encoded, "8bit": encoded, "quoted-printable": string(q.dst), "base64": string(b.dst) + "\n"}[tt.encoding]
			raw := "MIME-Version: 1.0\nContent-Type: text/plain; charset=" + tt.charset + "\nContent-Transfer-Encoding: " + tt.encoding + "\n\n" + body
			for _, html := range []string{"", "<p>x</p>\n"} {
				edited := parse([]byte(rewriteText(t, raw, "1", html, "%41", tt.new)), Limits{})
				leaf := edited.Root
				if html != "" {
					leaf = leaf.children[0]
				}
				text, err := edited.leafText(leaf)
				if err != nil || text.charset != tt.want || normalised(text.content) != strings.Replace(tt.text, "%41", tt.new, 1) {
					t.Errorf("%q in %s, %v", text.content, text.charset, err)
				}
				if stays := leaf.encoding == tt.encoding; stays != (tt.encoding != "7bit" || tt.want != "utf-8") {
					t.Errorf("encoded in %s", leaf.encoding)
				}
			}
		})
	}
}

func TestRewriteTextRefused(t *testing.T) {
	long := strings.Repeat("x", 990)
	for _, tt := range []struct {
		name, raw string
		edits     []Edit
		want      Reason
	}{
		{"empty range", "\nabc\n", []Edit{{1, 1, []byte("x")}}, reasonInvalidPlan},
		{"beyond the end", "\nabc\n", []Edit{{1, 9, []byte("x")}}, reasonInvalidPlan},
		{"not sorted", "\nabc\n", []Edit{{2, 3, []byte("x")}, {0, 1, []byte("x")}}, reasonInvalidPlan},
		{"over lines", "\na\nb\n", []Edit{{0, 3, []byte("x")}}, reasonInvalidPlan},
		{"new line end", "\nabc\n", []Edit{{0, 1, []byte("x\ny")}}, reasonInvalidPlan},
		{"new control", "\nabc\n", []Edit{{0, 1, []byte("\x1b")}}, reasonInvalidPlan},
		{"no UTF-8", "\nabc\n", []Edit{{0, 1, []byte("\xff")}}, reasonInvalidPlan},
		{"within a character", utf8Type + eightBit + "\nü\n", []Edit{{0, 1, []byte("x")}}, reasonInvalidPlan},
		{"quote marks of flowed text", "Content-Type: text/plain; format=flowed\n\n> a\n", []Edit{{0, 1, []byte("x")}}, reasonInvalidPlan},
		{"a space that would be a soft break", "Content-Type: text/plain; format=flowed\n\na\nb\n", []Edit{{0, 1, []byte("a ")}}, reasonInvalidPlan},
		{"line too long", utf8Type + eightBit + "\n" + long + " a\n", []Edit{{991, 992, []byte("0123456789")}}, reasonLineTooLong},
		{"unreadable", "Content-Type: text/plain; charset=x-none\n\na\n", []Edit{{0, 1, []byte("x")}}, reasonUnknownCharset},
		{"ambiguous", "Content-Type: text/plain\nContent-Type: text/html\n\na\n", []Edit{{0, 1, []byte("x")}}, reasonDuplicateContentType},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := parse([]byte(tt.raw), Limits{})
			var plan Plan
			wantPlanReason(t, m.RewriteText(&plan, m.Root, tt.edits), tt.want)
			if !plan.Empty() {
				t.Errorf("plan %v", plan)
			}
		})
	}
	m := parse([]byte("\nab\n"), Limits{})
	var plan Plan
	if err := m.RewriteText(&plan, m.Root, nil); err != nil || !plan.Empty() {
		t.Errorf("no edits: %v, plan %v", err, plan)
	}
	edit := []Edit{{0, 1, []byte("x")}}
	if err := m.RewriteText(&plan, m.Root, edit); err != nil {
		t.Fatal(err)
	}
	wantPlanReason(t, m.RewriteText(&plan, m.Root, edit), reasonInvalidPlan)
}

// TestVerifySeesAnotherText damages a rewritten text in each transfer encoding, and Verify must see
// it.
func TestVerifySeesAnotherText(t *testing.T) {
	for _, raw := range []string{
		"\nsee %41 b\n", utf8Type + "\nsee %41 b\n", utf8Type + qpField + "\nsee %41 b\n", utf8Type + b64Field + "\nc2VlICU0MSBiCg==\n",
		mixed + "--b\n\nsee %41 b\n--b--\n",
	} {
		m := parse([]byte(raw), Limits{})
		leaf := part(t, m, "1")
		var plan Plan
		if err := m.RewriteText(&plan, leaf, []Edit{{4, 7, []byte("ä")}}); err != nil {
			t.Fatal(err)
		}
		edited, bodyStart, err := m.Apply(plan)
		if err != nil {
			t.Fatal(err)
		}
		for at := bodyStart; at < len(edited); at++ {
			bad := bytes.Clone(edited)
			bad[at] ^= 1
			if m.Verify(plan, bad) == nil {
				t.Errorf("damage at %d of %q passes", at, edited)
			}
		}
		// A reader of the parts sees it, too.
		text := bytes.Replace(edited, []byte("see"), []byte("sea"), 1)
		if bytes.Equal(text, edited) {
			text = bytes.Replace(edited, []byte("c2Vl"), []byte("c2Vh"), 1)
		}
		if m.verifyStructure(plan, text, bodyStart) == nil {
			t.Errorf("another text passes: %q", text)
		}
	}
}

// TestRewriteOfTextsRead: an edit changes the text of its leaf, whichever text was decoded last.
func TestRewriteOfTextsRead(t *testing.T) {
	const begin = "Content-Transfer-Encoding: quoted-printable\nContent-Type: text/plain; charset="
	raw := []byte(crlf("MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n" +
		begin + "utf-8\n\ngr=C3=BCn %41\n--b\n" + begin + "iso-8859-1\n\n%41 =FC\n--b--\n"))
	edited := func(read ...string) string {
		m := parse(raw, Limits{})
		for _, number := range read {
			if _, err := m.Text(part(t, m, number)); err != nil {
				t.Fatal(err)
			}
		}
		var plan Plan
		leaf := part(t, m, "2")
		if err := m.RewriteText(&plan, leaf, []Edit{{0, len("%41"), []byte("A")}}); err != nil {
			t.Fatal(err)
		}
		result, _, err := m.Apply(plan)
		if err == nil {
			err = m.Verify(plan, result)
		}
		if err != nil {
			t.Fatal(err)
		}
		return string(result)
	}
	want := edited()
	if !strings.Contains(want, "\nA =FC\r\n") {
		t.Fatalf("got %q", want)
	}
	for _, read := range [][]string{{"2"}, {"1", "2"}, {"2", "1"}} {
		if got := edited(read...); got != want {
			t.Errorf("after reading %v: got %q, want %q", read, got, want)
		}
	}
}
