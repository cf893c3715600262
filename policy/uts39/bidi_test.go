package uts39_test

import (
	"math/rand/v2"
	"testing"

	"golang.org/x/text/unicode/bidi"

	"github.com/linkmilter/linkmilter/policy/uts39"
)

func TestVisualOrder(t *testing.T) {
	const ltr, rtl = uts39.LTR, uts39.RTL
	tests := []struct {
		name string
		dir  uts39.Direction
		s    string
		want string
	}{
		{"left to right", ltr, "abc 12", "abc 12"},
		{"right to left", ltr, "אבג", "גבא"},
		{"word in a left-to-right paragraph", ltr, "a אבג b", "a גבא b"},
		{"labels", ltr, "www.אב.גד.com", "www.דג.בא.com"},
		{"number after right to left", ltr, "אב 12", "12 בא"},
		{"path of digits", ltr, "a.אב/12", "a.12/בא"},
		{"path of letters", ltr, "a.אב/cd", "a.בא/cd"},
		{"number before", ltr, "12 אב", "12 בא"},
		{"Arabic numbers", ltr, "a ١٢.٣٤ b", "a ١٢.٣٤ b"},
		{"number after Arabic", ltr, "ع 1-2", "2-1 ع"},
		{"number after Hebrew", ltr, "א 1-2", "1-2 א"},
		{"currency", ltr, "א 5$", "5$ א"},
		{"brackets of the paragraph", ltr, "a (אב) b", "a (בא) b"},
		{"brackets within right to left", ltr, "א(ב)ג", "ג)ב(א"},
		{"right-to-left paragraph", rtl, "abc אב", "בא abc"},
		{"domain in a right-to-left paragraph", rtl, "ab.cd/12", "ab.cd/12"},
		{"white space at the end", ltr, "אב ", "בא "},
		{"tab", ltr, "א\tב", "א\tב"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			runes := []rune(tt.s)
			var got []rune
			for _, i := range uts39.VisualOrderIn(tt.dir, runes) {
				got = append(got, runes[i])
			}
			if string(got) != tt.want {
				t.Errorf("%+q: got %+q, want %+q", tt.s, string(got), tt.want)
			}
		})
	}
}

// TestVisualOrderAgrees compares with golang.org/x/text/unicode/bidi, which returns runs with their
// direction: within a run, the positions must go in that direction. The texts have no brackets,
// since paragraphs of x/text do not pair them.
func TestVisualOrderAgrees(t *testing.T) {
	letters := []rune("abאבعبج12١٢.,-+$%/ \u0301\u05b0&")
	r := rand.New(rand.NewPCG(39, 58))
	mixed := 0
	for range 5000 {
		runes := []rune{'a'} // x/text takes the direction from the first strong character
		for range r.IntN(12) {
			runes = append(runes, letters[r.IntN(len(letters))])
		}
		runes = append(runes, 'z') // no white space at the end
		var p bidi.Paragraph
		if _, err := p.SetString(string(runes)); err != nil {
			t.Fatal(err)
		}
		o, err := p.Order()
		if err != nil {
			t.Fatal(err)
		}
		position := make([]int, len(runes))
		for v, i := range uts39.VisualOrderIn(uts39.LTR, runes) {
			position[i] = v
		}
		if o.NumRuns() > 1 {
			mixed++
		}
		for n := range o.NumRuns() {
			run := o.Run(n)
			start, end := run.Pos()
			for i := start; i < end; i++ {
				step := position[i+1] - position[i]
				if run.Direction() == bidi.RightToLeft && step != -1 {
					t.Fatalf("%+q: positions %v, but %d to %d is right to left", string(runes), position, start, end)
				}
			}
		}
	}
	if mixed < 2500 {
		t.Errorf("only %d of the strings have two directions", mixed)
	}
}

// TestBidiSkeleton has the example of UTS #39 §4: strings that look alike in
// a left-to-right paragraph and not in a right-to-left one.
func TestBidiSkeleton(t *testing.T) {
	const s1, s2 = "A1<\u05e9\u05c2", "\u0391\u05e9\u05ba>1"
	ltr1, ltr2 := uts39.BidiSkeleton(s1), uts39.BidiSkeleton(s2)
	if ltr1 != ltr2 || ltr1 != "Al<\u05e9\u0307" {
		t.Errorf("left to right: %+q, %+q", ltr1, ltr2)
	}
	if rtl1, rtl2 := uts39.BidiSkeletonIn(uts39.RTL, s1), uts39.BidiSkeletonIn(uts39.RTL, s2); rtl1 == rtl2 {
		t.Errorf("right to left: both %+q", rtl1)
	}
	tests := []struct {
		name, s, want string
	}{
		{"no right-to-left characters", "раураӏ", "paypal"},
		{"Hebrew letters that look Latin", "ןסו", "lol"},
		{"marks stay behind their letter", "ס\u0323ו", "lo\u0323"},
		{"brackets are mirrored", "א(ס)", "(o)\u05d0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := uts39.BidiSkeleton(tt.s); got != tt.want {
				t.Errorf("got %+q, want %+q", got, tt.want)
			}
		})
	}
}
