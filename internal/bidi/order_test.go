package bidi_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/bidi"
)

// TestInOrder: InOrder returns a text with embeddings, overrides and isolates in the order in which
// it is displayed.
func TestInOrder(t *testing.T) {
	const lre, rle, pdf, lro, rlo = "\u202a", "\u202b", "\u202c", "\u202d", "\u202e"
	const lri, rli, fsi, pdi = "\u2066", "\u2067", "\u2068", "\u2069"
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"plain", "plain"},
		{"\u05d0\u05d1", "\u05d0\u05d1"}, // none of them
		{rli + lri + "Pal Support" + pdi + lri + "Pay" + pdi + pdi, "PayPal Support"},
		{rli + fsi + "Pal Support" + pdi + fsi + "Pay" + pdi + pdi, "PayPal Support"},
		{rli + lre + "c" + pdf + "\u200f" + lre + "b" + pdf + "\u200f" + lre + "a" + pdf + pdi, "a\u200fb\u200fc"},
		{rle + lri + "b" + pdi + lri + "a" + pdi + pdf, "ab"},
		{"x " + rli + lri + "b" + pdi + lri + "a" + pdi + pdi + " y", "x ab y"},
		{rli + "ab" + pdi, "ab"},
		{rli + "a b." + pdi, ".a b"},
		{rli + "b\u200fa" + pdi, "a\u200fb"},
		{rli + "b\u05d0a" + pdi, "a\u05d0b"},
		{rli + "\u05d0\u05d1" + pdi + " x", "\u05d1\u05d0 x"},
		{rli + "\u05d0 12.5 \u05d1" + pdi, "\u05d1 12.5 \u05d0"},
		{rli + "\u05d0\u05b0\u05d1" + pdi, "\u05d1\u05d0\u05b0"},
		{fsi + "\u05d0 a" + pdi, "a \u05d0"},
		{fsi + "a \u05d0\u05d1" + pdi, "a \u05d1\u05d0"},
		{rlo + "lapyap" + pdf, "paypal"},
		{rlo + rlo + pdi + " " + pdf + "lapyap", "paypal "},
		{lro + "\u05d0\u05d1" + pdf, "\u05d0\u05d1"},
		{rli + lri + "b" + pdi + lri + "a", "ab"},
		{pdi + pdf + rli + lri + "b" + pdi + lri + "a" + pdi + pdi, "ab"},
		{rli + lre + "b" + pdi + "a", "ba"},
		{lri + pdf + "a" + pdi + "b", "ab"},
		{strings.Repeat(rli, 1000) + "a", "a"},
	} {
		if got := bidi.InOrder(test.text); got != test.want {
			t.Errorf("%+q in order is %+q, want %+q", test.text, got, test.want)
		}
	}
}
