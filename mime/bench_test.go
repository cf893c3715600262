package mime

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	stdmime "mime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/textproto"
)

// sizes are the message sizes that the benchmarks use, in bytes.
var sizes = []struct {
	name  string
	bytes int
}{{"4KB", 4 << 10}, {"100KB", 100 << 10}, {"10MB", 10 << 20}}

// benchMessage returns a message of about n bytes as mail programs send them: a
// text, and for the larger ones attachments in base64 and a second text part.
func benchMessage(n int) []byte {
	var b bytes.Buffer
	for i := range 12 {
		fmt.Fprintf(&b, "Received: from relay%d.example.org (relay%[1]d.example.org [192.0.2.%[1]d])\r\n\tby mx.example.net with ESMTPS id ABC%[1]d; Mon, 1 Jun 2026 10:00:%02[1]d +0000\r\n", i)
	}
	b.WriteString("From: =?utf-8?q?J=C3=B6rg?= <joerg@example.org>\r\nTo: b@example.net\r\nSubject: report\r\nMIME-Version: 1.0\r\n")
	line := "Siehe https://example.org/wiki/%E0%A4%AE für die Einzelheiten dieses Berichts.\r\n"
	if n <= 8<<10 {
		b.WriteString("Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n")
		b.WriteString(strings.Repeat(line, (n-b.Len())/len(line)+1))
		return b.Bytes()
	}
	b.WriteString("Content-Type: multipart/mixed; boundary=\"----=_Part_1_2.3\"\r\n\r\n")
	b.WriteString("------=_Part_1_2.3\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n")
	b.WriteString(strings.Repeat(line, 100))
	for i := range 3 {
		fmt.Fprintf(&b, "------=_Part_1_2.3\r\nContent-Type: application/pdf; name=\"report%d.pdf\"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=\"report%[1]d.pdf\"\r\n\r\n", i)
		data := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("linkmilter and the rest of it"), n/(4*29)))
		for len(data) > 76 {
			b.WriteString(data[:76] + "\r\n")
			data = data[76:]
		}
		b.WriteString(data + "\r\n")
	}
	b.WriteString("------=_Part_1_2.3--\r\n")
	return b.Bytes()
}

func BenchmarkParse(b *testing.B) {
	for _, s := range sizes {
		raw := benchMessage(s.bytes)
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				parse(raw, Limits{})
			}
		})
	}
}

// BenchmarkParseDashes parses bodies that are full of hyphens, where the search for delimiters has
// to stop at each byte. No other body takes longer.
func BenchmarkParseDashes(b *testing.B) {
	for _, s := range []struct{ name, text string }{
		{"text", "a well-known, e-mail like text with some dashes - here and there -- ok\n"},
		{"alternating", "-a"},
		{"lines", "--\n"},
	} {
		raw := []byte(mixed + strings.Repeat(s.text, (1<<20)/len(s.text)))
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				parse(raw, Limits{})
			}
		})
	}
}

// BenchmarkGoMessage reads the same messages with go-message, to compare with BenchmarkParse. Its
// reader always decodes; BenchmarkGoMessageRaw does not.
func BenchmarkGoMessage(b *testing.B) {
	for _, s := range sizes {
		raw := benchMessage(s.bytes)
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				e, err := message.Read(bytes.NewReader(raw))
				if err != nil {
					b.Fatal(err)
				}
				if err := discard(e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkParseBesideGoMessage parses the same messages in turns with this package and with
// go-message. It reports the median of how many times as long go-message takes, since other
// programs may run during a turn.
func BenchmarkParseBesideGoMessage(b *testing.B) {
	for _, s := range sizes {
		raw := benchMessage(s.bytes)
		turn := max(1, 200_000/len(raw)) // messages in a turn, enough for the resolution of the clock
		b.Run(s.name, func(b *testing.B) {
			var ratios []float64
			for b.Loop() {
				start := time.Now()
				for range turn {
					parse(raw, Limits{})
				}
				between := time.Now()
				for range turn {
					e, err := message.Read(bytes.NewReader(raw))
					if err != nil {
						b.Fatal(err)
					}
					if err := discard(e); err != nil {
						b.Fatal(err)
					}
				}
				ratios = append(ratios, time.Since(between).Seconds()/between.Sub(start).Seconds())
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "times-faster")
		})
	}
}

// BenchmarkGoMessageRaw finds the parts with go-message's package textproto, which decodes nothing
// and knows one level of boundaries. Any reader built on it has to do at least this.
func BenchmarkGoMessageRaw(b *testing.B) {
	for _, s := range sizes {
		raw := benchMessage(s.bytes)
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				r := bufio.NewReader(bytes.NewReader(raw))
				h, err := textproto.ReadHeader(r)
				if err != nil {
					b.Fatal(err)
				}
				if _, params, _ := stdmime.ParseMediaType(h.Get("Content-Type")); params["boundary"] == "" {
					if _, err := io.Copy(io.Discard, r); err != nil {
						b.Fatal(err)
					}
				} else {
					discardParts(b, textproto.NewMultipartReader(r, params["boundary"]))
				}
			}
		})
	}
}

func discardParts(b *testing.B, parts *textproto.MultipartReader) {
	for {
		p, err := parts.NextPart()
		if err == io.EOF {
			return
		}
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, p); err != nil {
			b.Fatal(err)
		}
	}
}

// discard reads an entity to its end.
func discard(e *message.Entity) error {
	parts := e.MultipartReader()
	if parts == nil {
		_, err := io.Copy(io.Discard, e.Body)
		return err
	}
	for {
		p, err := parts.NextPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := discard(p); err != nil {
			return err
		}
	}
}

// benchPlan plans an alternative for the first leaf.
func benchPlan(b *testing.B, m *Message) Plan {
	var plan Plan
	for leaf := range m.Leaves() {
		if err := m.AddAlternative(&plan, leaf, sourceOf(strings.Repeat("<p>für die Einzelheiten</p>\n", 100))); err != nil {
			b.Fatal(err)
		}
		break
	}
	return plan
}

func BenchmarkPlan(b *testing.B) {
	for _, s := range sizes {
		m := parse(benchMessage(s.bytes), Limits{})
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(len(m.Raw)))
			b.ReportAllocs()
			for b.Loop() {
				benchPlan(b, m)
			}
		})
	}
}

func BenchmarkApply(b *testing.B) {
	for _, s := range sizes {
		m := parse(benchMessage(s.bytes), Limits{})
		plan := benchPlan(b, m)
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(len(m.Raw)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := m.Apply(plan); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkVerify(b *testing.B) {
	for _, s := range sizes {
		m := parse(benchMessage(s.bytes), Limits{})
		plan := benchPlan(b, m)
		edited, _, err := m.Apply(plan)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(len(m.Raw)))
			b.ReportAllocs()
			for b.Loop() {
				if err := m.Verify(plan, edited); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkText(b *testing.B) {
	for _, s := range sizes {
		m := parse(benchMessage(s.bytes), Limits{})
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for leaf := range m.Leaves() {
					if _, err := m.leafText(leaf); err != nil {
						b.Fatal(err)
					}
					b.SetBytes(int64(leaf.end - leaf.bodyStart))
					break
				}
			}
		})
	}
}
