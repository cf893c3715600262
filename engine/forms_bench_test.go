package engine

import "testing"

// benchmarkLinks are links of the kinds that mail is full of.
var benchmarkLinks = []struct{ name, text string }{
	{"plain", "https://shop.example.com/de/products/12345?utm_source=newsletter&utm_medium=email#reviews"},
	{"escaped", "https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9%E0%A4%BE%E0%A4%A4%E0%A5%8D%E0%A4%AE%E0%A4%BE_%E0%A4%97%E0%A4%BE%E0%A4%82%E0%A4%A7%E0%A5%80"},
	{"unicode", "https://hi.wikipedia.org/wiki/महात्मा_गांधी"},
	{"tracking", "https://click.example.com/?u=https%3A%2F%2Fshop.example.com%2Fa%3Fb%3Dc%26d%3De&id=0123456789abcdef"},
	{"alabels", "https://xn--mnchen-3ya.de/stra%C3%9Fe"},
}

func BenchmarkReadable(b *testing.B) {
	for _, bm := range benchmarkLinks {
		b.Run(bm.name, func(b *testing.B) {
			l, err := ParseLink(bm.text)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(bm.text)))
			b.ReportAllocs()
			for b.Loop() {
				l.Readable(HostUnicode)
			}
		})
	}
}

func BenchmarkHref(b *testing.B) {
	for _, bm := range benchmarkLinks {
		b.Run(bm.name, func(b *testing.B) {
			l, err := ParseLink(bm.text)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(bm.text)))
			b.ReportAllocs()
			for b.Loop() {
				l.Href()
			}
		})
	}
}

func BenchmarkFormat(b *testing.B) {
	for _, bm := range benchmarkLinks {
		b.Run(bm.name, func(b *testing.B) {
			b.SetBytes(int64(len(bm.text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Format(bm.text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestReadableAllocatesNothing: most links are readable as typed, and Readable allocates nothing
// for them.
func TestReadableAllocatesNothing(t *testing.T) {
	l, err := ParseLink(benchmarkLinks[0].text)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { l.Readable(HostUnicode) }); n != 0 {
		t.Errorf("Readable allocates %v times", n)
	}
}
