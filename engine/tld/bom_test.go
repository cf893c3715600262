package tld

import (
	"strings"
	"testing"
)

// TestMarkInFrontOfAList: a byte order mark of UTF-8 is not a part of the first name.
func TestMarkInFrontOfAList(t *testing.T) {
	for _, list := range []string{"COM\nNET\n", "# Version\nCOM\n", "\nCOM\n"} {
		set, err := Parse(strings.NewReader("\uFEFF" + list))
		if err != nil || !set.Contains("com") {
			t.Errorf("%q: %v", list, err)
		}
	}
}
