package mime

import "testing"

// TestUnambiguous: a text on which programs agree has one reading.
func TestUnambiguous(t *testing.T) {
	for _, test := range []struct {
		fields, body string
		want         bool
	}{
		{"Content-Type: text/plain", "ascii", true},
		{"Content-Type: text/plain; charset=utf-8", "Grüße", true},
		{"Content-Type: text/plain; charset=iso-8859-1", "Gr\xfc\xdfe", true},
		{"Content-Type: text/plain; charset=iso-8859-2", "\xc4\xa3", false}, // valid UTF-8
		{"Content-Type: text/plain; charset=gbk", "ascii", true},
		{"Content-Type: text/plain; charset=gbk", "\xd6\xd0", false},
		{"Content-Type: text/plain; charset=iso-2022-jp", "ascii", false},
		{"Content-Type: text/html; charset=utf-8", "<meta charset=koi8-r>Grüße", true},
		{"Content-Type: text/html; charset=iso-8859-1", "<meta charset=koi8-r>Gr\xfc\xdfe", false},
		{"Content-Type: text/html", "<meta charset=utf-7>+BDo-", false},
		{"Content-Type: text/html", "<meta charset=utf-8>ascii", true},
		{"Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes", "a \r\nb", false},
		{"Content-Type: text/plain\r\nContent-Transfer-Encoding: base64", "YQ==", false},
	} {
		encoding := "Content-Transfer-Encoding: 8bit\r\n"
		m := parse([]byte(encoding+test.fields+"\r\n\r\n"+test.body), Limits{})
		text, err := m.Text(m.Root)
		if err != nil {
			t.Errorf("%s: %v", test.fields, err)
		}
		if got := m.Unambiguous(m.Root, text); got != test.want {
			t.Errorf("%s, %q: %t", test.fields, test.body, got)
		}
	}
}
