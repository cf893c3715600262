package htmltoken

import "testing"

// TestFrequent: each of the frequent names is at its place.
func TestFrequent(t *testing.T) {
	known := 0
	for i, n := range frequent {
		if n.name == "" {
			continue
		}
		if known++; int(placeOf(n.name)) != i || n.tag.String() != n.name {
			t.Errorf("%+v is at %d", n, i)
		}
	}
	if known < 50 {
		t.Errorf("only %d names are known", known)
	}
}
