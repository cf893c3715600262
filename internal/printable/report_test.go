package printable

import "testing"

func TestCell(t *testing.T) {
	for value, want := range map[string]string{"": "", "a=1": "a=1", "=1": "'=1", "+1": "'+1", "-1": "'-1", "@a": "'@a", "\ta": "'\ta", "\ra": "'\ra", "'=": "'="} {
		if got := Cell(value); got != want {
			t.Errorf("%q: got %q, want %q", value, got, want)
		}
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -100: "-100", -1000: "-1,000"} {
		if got := Number(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}
