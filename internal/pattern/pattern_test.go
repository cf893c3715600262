package pattern

import (
	"testing"
	"time"
)

// TestAddLine: a pattern with a date counts up to the end of that day, one without a date always.
func TestAddLine(t *testing.T) {
	now := time.Now().UTC()
	today, yesterday := now.Format(time.DateOnly), now.AddDate(0, 0, -1).Format(time.DateOnly)
	var s Domains
	for _, line := range []string{"a.example", "b.example " + today, "c.example " + yesterday, ".d.example " + today, ".e.example " + yesterday} {
		if err := s.AddLine(line); err != nil {
			t.Fatal(err)
		}
	}
	for domain, want := range map[string]bool{
		"a.example": true, "b.example": true, "c.example": false, "x.d.example": true, "d.example": false, "x.e.example": false,
	} {
		if got := s.Has(domain); got != want {
			t.Errorf("%s: %t, want %t", domain, got, want)
		}
	}
	for _, line := range []string{"a.example tomorrow", "a.example 2027-02-30", "a.example 2027-01-31 x", " 2027-01-31", "a b.example"} {
		if err := s.AddLine(line); err == nil {
			t.Errorf("line %q: no error", line)
		}
	}
}
