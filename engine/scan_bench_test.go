package engine

import (
	"strings"
	"testing"
)

// BenchmarkAppend scans a mail of some sentences, with and without suspects.
func BenchmarkAppend(b *testing.B) {
	for _, text := range []struct{ name, sentence string }{
		{"prose", "The meeting on Tuesday (10.30 a.m.) is moved to room 2.14, e.g. because of the noise; see page 7 of the report. "},
		{"links", "See https://example.com/a/b?c=d#e, www.example.org or write to joe.doe@mail.example.net about v1.2.3. "},
		{"Japanese", "詳しくはhttps://ja.wikipedia.org/wiki/日本語をご覧ください。連絡先はinfo@例え.jpです。会議は火曜日に。"},
		{"suspects", "//host.example.com or http:/paypal.com@evil.example and steam://run/7, _x.example.com, 1.2.3.4 and http://0x7f.1/. "},
	} {
		mail := strings.Repeat(text.sentence, 200)
		for _, o := range []struct {
			name    string
			options Options
		}{{"links", Options{}}, {"suspects", Options{Suspects: true}}} {
			b.Run(text.name+"/"+o.name, func(b *testing.B) {
				s, err := New(o.options)
				if err != nil {
					b.Fatal(err)
				}
				links := s.Append(nil, mail)
				b.SetBytes(int64(len(mail)))
				b.ReportAllocs()
				for b.Loop() {
					links = s.Append(links[:0], mail)
				}
			})
		}
	}
}
