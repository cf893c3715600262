package alternative

import (
	"bytes"
	"strings"
	"testing"
)

// TestPieces: the writer gets the document in pieces, which end with a line if lines are shorter
// than a piece.
func TestPieces(t *testing.T) {
	check := func(text, body string) {
		t.Helper()
		var got []byte
		ends := true // a piece ends with a line
		w := func(piece []byte) {
			if long := bytes.IndexByte(piece, '\n') < 0; !bytes.HasSuffix(piece, []byte("\n")) && !long {
				ends = false
			}
			got = append(got, piece...)
		}
		if err := Write(writerFunc(w), text, nil); err != nil {
			t.Fatal(err)
		}
		if want := head + body + foot; string(got) != want {
			t.Errorf("%d bytes of text: a document of %d bytes, want another of %d", len(text), len(got), len(want))
		}
		if !ends {
			t.Errorf("%d bytes of text: a piece ends within a line", len(text))
		}
	}
	line := "ordinary text, and more of it"
	check(strings.Repeat(line+"\n", 3000), `<div dir="auto">`+strings.Repeat(line+"<br>\n", 2999)+line+"</div>\n")
	// Lines longer than a piece, so that the second line begins at each of the last places of a
	// piece, and its characters end at each.
	for n := outputSize - 40; n < outputSize+8; n++ {
		for shift := range 4 {
			first, second := strings.Repeat("x", n), strings.Repeat("y", shift)+strings.Repeat("😀", outputSize/2)
			check(first+"\n"+second, `<div dir="auto">`+first+"<br>\n"+second+"</div>\n")
		}
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}
