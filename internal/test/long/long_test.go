package long

import "testing"

func TestRows(t *testing.T) {
	t.Setenv("LINKMILTER_LONG", "")
	if Is() || Rows(1000, 10) != 10 || Rows(5, 10) != 5 {
		t.Errorf("short: %t, %d, %d rows", Is(), Rows(1000, 10), Rows(5, 10))
	}
	t.Setenv("LINKMILTER_LONG", "1")
	if !Is() || Rows(1000, 10) != 1000 {
		t.Errorf("long: %t, %d rows", Is(), Rows(1000, 10))
	}
}
