package mime

import (
	"strings"
	"testing"
)

// TestPlainLines puts each byte at every place of a text.
func TestPlainLines(t *testing.T) {
	for length := 1; length < 40; length++ {
		for at := range length {
			for c := range 256 {
				text := []byte(strings.Repeat("~ ", 20)[:length])
				text[at] = byte(c)
				want := onlyASCII(text, "") == nil && checkControls(string(text)) == nil
				if got, _ := plainLines(text); got != want {
					t.Fatalf("%q: %t, want %t", text, got, want)
				}
			}
		}
	}
	for text, want := range map[string]bool{"": true, "a\r\nb\r\n": true, "a\r": false, "a\r\rb": false, "\r\n\r\n": true, "abcdefg\r\n": true, "\n\r": false} {
		if got, _ := plainLines([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// TestPlainText: a line end across two pieces is one.
func TestPlainText(t *testing.T) {
	body := strings.Repeat("x", 64<<10-1) + "\r\n" + strings.Repeat("x", 70<<10)
	m := Parse(t.Context(), []byte("Content-Type: text/plain\r\n\r\n"+body), Limits{})
	for p := range m.Leaves() {
		text, err := m.Text(p)
		if plain, _ := m.isPlain(p, "utf-8"); err != nil || text != body || !plain {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	}
}

// TestNoHead: that no line begins a file is known only of the text that was returned last, undecoded and unchanged.
func TestNoHead(t *testing.T) {
	long := strings.Repeat("x", 64<<10-3) + "\n"
	for _, test := range []struct {
		header, body string
		want         bool
	}{
		{"", "", true},
		{"", "a", true},
		{"", "to begin 644 a\nand a -----BEGIN CMS-----\n", true},
		{"", "begin 644 a\n", false},
		{"", "a\r\nbegin 644 a\r\n", false},
		{"", "a\n\n> > \tbegin 644 a\n", false},
		{"", "a\n=ybegin line=128\n", false},
		{"", "a\n(This file must be converted with BinHex 4.0)\n", false},
		{"", "a\n-----BEGIN PKCS7-----\n", false},
		{"", "a\n----- Original message -----\n-- \n(This is all)\n= 3\n beg", false},
		{"", "a\n----- Original message -----\n-- \n(This is all)\n= 3\n bug\n", true},
		{"", long + "begin 644 a\n", false},
		{"", long + "a\n", true},
		{"", long + "x\nbegin 644 a\n", false},
		{"Content-Transfer-Encoding: quoted-printable\n", "a\n", false},
		{"Content-Type: text/plain; format=flowed\n", "a\nb\n", true},
		{"Content-Type: text/plain; format=flowed\n", "a \nb\n", false},
	} {
		m := parse([]byte(test.header+"\n"+test.body), Limits{})
		if _, known := m.Unambiguous(m.Root, test.body); known {
			t.Errorf("%s%.40q: known before it is read", test.header, test.body)
		}
		text, err := m.Text(m.Root)
		if err != nil {
			t.Fatal(err)
		}
		if _, got := m.Unambiguous(m.Root, text); got != test.want {
			t.Errorf("%s%.40q: %t, want %t", test.header, test.body, got, test.want)
		}
		if _, known := m.Unambiguous(m.Root, text+"a"); known {
			t.Errorf("%s%.40q: known of another text", test.header, test.body)
		}
	}
}
