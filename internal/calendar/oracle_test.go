package calendar

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/emersion/go-ical"
	"github.com/emersion/go-vcard"
)

// generated returns the lines of random properties, folded at random places.
func generated(r *rand.Rand, names, parameters []string) string {
	pick := func(all ...string) string { return all[r.IntN(len(all))] }
	var b strings.Builder
	for range 1 + r.IntN(5) {
		line := pick("", "", "item1.") + names[r.IntN(len(names))]
		for range r.IntN(3) {
			line += ";" + parameters[r.IntN(len(parameters))] + "=" + pick("x", `"a;b:c,d"`, "text/html", `"http://a.example/"`, "en,de", `"x^ny^^z^'"`)
		}
		line += ":"
		for range r.IntN(6) {
			line += pick("http://a.example/x", `\n`, `\,`, `\;`, `\\`, "mailto:x@a.example", "<b>", "ü", " ", "x,y", ";", ":", `"`, "=3D", "&amp;")
		}
		b.WriteString(strings.ToValidUTF8(folded(line, 1+r.IntN(80)), ""))
	}
	return b.String()
}

// withoutEscapes removes escapes that readers decode differently.
var withoutEscapes = strings.NewReplacer(`\n`, "", `\`, "", "\n", "", "^n", "", "^^", "", "^'", "", "^", "", `"`, "")

// compare fails if another reader has a value that no item has.
func compare(t *testing.T, source, name, value string) {
	t.Helper()
	value = withoutEscapes.Replace(strings.TrimSpace(value))
	for item := range Read(t.Context(), source) {
		if strings.Contains(withoutEscapes.Replace(item.Value), value) || strings.Contains(withoutEscapes.Replace(item.Name), value) {
			return
		}
	}
	t.Errorf("%s: %q is not in %q, from %q", name, value, itemsOf(source), source)
}

// TestBesideGoICal: every value that go-ical reads is in an item.
func TestBesideGoICal(t *testing.T) {
	names := []string{"DESCRIPTION", "SUMMARY", "LOCATION", "URL", "X-ALT-DESC", "X-FOO", "COMMENT", "CATEGORIES"}
	parameters := []string{"ALTREP", "LANGUAGE", "FMTTYPE", "X-Y", "VALUE"}
	values := 0
	for seed := range uint64(2000) {
		source := "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n" + generated(rand.New(rand.NewPCG(seed, 5545)), names, parameters) + "END:VEVENT\r\nEND:VCALENDAR\r\n"
		calendar, err := ical.NewDecoder(strings.NewReader(source)).Decode()
		if err != nil {
			continue // it refuses what other programs read
		}
		for _, event := range calendar.Children {
			for name, properties := range event.Props {
				for _, property := range properties {
					if text, err := property.Text(); err == nil {
						compare(t, source, name, text)
						values++
					}
					for parameter, all := range property.Params {
						for _, value := range all {
							compare(t, source, fmt.Sprint(name, " ", parameter), value)
						}
					}
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	if t.Logf("%d values", values); values < 500 {
		t.Error("too few")
	}
}

// TestBesideGoVCard: every value that go-vcard reads is in an item.
func TestBesideGoVCard(t *testing.T) {
	names := []string{"NOTE", "URL", "FN", "EMAIL", "X-FOO", "TITLE", "ADR", "TEL"}
	parameters := []string{"TYPE", "LANGUAGE", "X-Y", "PREF"}
	values := 0
	for seed := range uint64(2000) {
		source := "BEGIN:VCARD\r\nVERSION:4.0\r\n" + generated(rand.New(rand.NewPCG(seed, 6350)), names, parameters) + "END:VCARD\r\n"
		card, err := vcard.NewDecoder(strings.NewReader(source)).Decode()
		if err != nil {
			continue
		}
		for name, fields := range card {
			for _, field := range fields {
				if name != "VERSION" {
					compare(t, source, name, field.Value)
					values++
				}
				for parameter, all := range field.Params {
					for _, value := range all {
						compare(t, source, fmt.Sprint(name, " ", parameter), value)
					}
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	if t.Logf("%d values", values); values < 500 {
		t.Error("too few")
	}
}
