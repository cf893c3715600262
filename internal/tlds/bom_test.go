package tlds

import "testing"

// TestMarkInFrontOfTheList: a byte order mark of UTF-8 does not hide IANA's header.
func TestMarkInFrontOfTheList(t *testing.T) {
	const text = "# Version 2026010100, Last Updated Thu Jan  1 07:07:01 2026 UTC\nCOM\nNET\n"
	want, err := parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	got, err := parse([]byte("\uFEFF" + text))
	if err != nil || got.Version != want.Version || got.Set.Len() != want.Set.Len() || string(got.text) != text {
		t.Errorf("%+v, %v", got, err)
	}
}
