package policy_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// TestMarksOnBrands: a protected name with any mark on one of its letters is found, also
// where the prototype of the mark (UTS #39) is a mark of another script or a letter.
func TestMarksOnBrands(t *testing.T) {
	j := newJudge(t, policy.Options{})
	marks := []rune{0x1ab4, 0x1cd8, 0x1dee, 0x1dfe, 0x20db, 0x3099, 0x309a}
	for r := rune(0x300); r < 0x370; r++ {
		if r != 0x34f && r != 0x340 && r != 0x341 && r != 0x343 && r != 0x344 { // UTS #46 maps or refuses these
			marks = append(marks, r)
		}
	}
	for _, mark := range marks {
		for _, name := range []string{"paypal", "google", "microsoft"} {
			for i := 1; i <= len(name); i++ {
				host := name[:i] + string(mark) + name[i:] + ".com"
				link, err := engine.ParseLink("http://" + host + "/")
				if err != nil || !strings.HasPrefix(link.ASCIIHost(), "xn--") {
					continue // a browser refuses it
				}
				if worst := j.Link(link).Worst(); worst < policy.SeverityMedium {
					t.Errorf("%U in %+q: %s", mark, host, worst)
				}
			}
		}
	}
}
