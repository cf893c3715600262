package mime

import (
	"bytes"
	"strings"
	"testing"
)

// TestRewriteHTML edits HTML in many charsets and transfer encodings. Bytes outside the edit stay,
// and new characters that the charset lacks become references.
func TestRewriteHTML(t *testing.T) {
	const word = "महात्मा"
	const references = "&#2350;&#2361;&#2366;&#2340;&#2381;&#2350;&#2366;"
	for _, test := range []struct {
		name, charset, encoding string
		body                    string
		pairs                   []string // of the text
		want                    string   // body afterwards
	}{
		{"UTF-8", "utf-8", "8bit", "<p>grün</p>\n<b>X</b>\n", []string{"X", word}, "<p>grün</p>\n<b>" + word + "</b>\n"},
		{"UTF-8 in 7bit", "utf-8", "7bit", "<p>green</p>\n<b>X</b>\n", []string{"X", word}, "<p>green</p>\n<b>" + references + "</b>\n"},
		{"windows-1252", "windows-1252", "8bit", "<p>gr\xfcn</p>\n<b>X</b>\n", []string{"X", "ü" + word}, "<p>gr\xfcn</p>\n<b>\xfc" + references + "</b>\n"},
		{
			"ISO-2022-JP", "iso-2022-jp", "7bit", "<p>\x1b$B4A\x1b(B</p>\n<b>X</b>\n",
			[]string{"X", "字" + word},
			"<p>\x1b$B4A\x1b(B</p>\n<b>\x1b$B;z\x1b(B" + references + "</b>\n",
		},
		{"GB2312", "gb2312", "8bit", "<p>\xd6\xd0</p>\n<b>X</b>\n", []string{"X", "文" + word}, "<p>\xd6\xd0</p>\n<b>\xce\xc4" + references + "</b>\n"},
		{"Big5", "big5", "8bit", "<p>\xa4\xa4</p>\n<b>X</b>\n", []string{"X", "文のМ"}, "<p>\xa4\xa4</p>\n<b>\xa4\xe5&#12398;&#1052;</b>\n"},
		{"ASCII in quoted-printable", "us-ascii", "quoted-printable", "<p =\n class=3D\"a\">\n<b>X</b>\n", []string{"X", word}, "<p =\n class=3D\"a\">\n<b>" + references + "</b>\n"},
		{
			"soft breaks within tags", "utf-8", "quoted-printable", "<p>=67r=C3=BCn</p>\n<a hr=\nef=3D\"x\">X</=\na>\n=20y\n",
			[]string{"X", "ü"},
			"<p>=67r=C3=BCn</p>\n<a hr=\nef=3D\"x\">=C3=BC</=\na>\n=20y\n",
		},
		{"over lines", "utf-8", "8bit", "<a title=x\n href=y>z</a>\n", []string{"\n href=y", ""}, "<a title=x>z</a>\n"},
		{"over lines, quoted-printable", "utf-8", "quoted-printable", "<a=20title=3Dx\n href=3Dy>z</a>\n=20\n", []string{"\n href=y", ""}, "<a=20title=3Dx>z</a>\n=20\n"},
		{
			"base64 in lines of 40", "utf-8", "base64", "PHA+QW4gb3JkaW5hcnkgc2VudGVuY2UuPC9wPjxi\nPlg8L2I+PHA+YW5kIG1vcmU8L3A+Cg==\n",
			[]string{"X", "Y"},
			"PHA+QW4gb3JkaW5hcnkgc2VudGVuY2UuPC9wPjxi\nPlk8L2I+PHA+YW5kIG1vcmU8L3A+Cg==\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			header := "MIME-Version: 1.0\nContent-Type: text/html; charset=" + test.charset + "\nContent-Transfer-Encoding: " + test.encoding + "\n\n"
			m := parse([]byte(header+test.body), Limits{})
			leaf := part(t, m, "1")
			text, err := m.Text(leaf)
			if err != nil {
				t.Fatal(err)
			}
			var plan Plan
			if err := m.RewriteText(&plan, leaf, textEdits(t, text, test.pairs...)); err != nil {
				t.Fatal(err)
			}
			edited, start, err := m.Apply(plan)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(edited[start:]); got != test.want {
				t.Errorf("got\n%q, want\n%q", got, test.want)
			}
			if !bytes.HasPrefix(edited, []byte(header)) {
				t.Errorf("the header changed: %q", edited[:start])
			}
			if err := m.Verify(plan, edited); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestRewriteHTMLRefused: HTML does not change its charset, and gets no alternative.
func TestRewriteHTMLRefused(t *testing.T) {
	long := strings.Repeat("x", 990) + "X"
	m := parse([]byte("MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 7bit\n\n"+long+"\n"), Limits{})
	leaf := part(t, m, "1")
	var plan Plan
	if err := m.RewriteText(&plan, leaf, textEdits(t, long, "X", "महा")); reasonOf(err) != reasonLineTooLong {
		t.Errorf("a long line: %v", err)
	}
	if err := m.AddAlternative(&plan, leaf, sourceOf("<p>")); reasonOf(err) != reasonInvalidPlan {
		t.Errorf("an alternative to HTML: %v", err)
	}
	if !plan.Empty() {
		t.Errorf("refused edits are in the plan: %+v", plan)
	}
}
