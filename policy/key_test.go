package policy_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// TestMarksOnBrands: a protected name with any mark on one of its letters is found. For some marks,
// UTS #39 has a letter or a mark of another script as prototype.
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

// TestCapitalsOfOtherScripts: a protected name in capital letters of another script is found,
// although UTS #46 maps these to small letters that look different.
func TestCapitalsOfOtherScripts(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for _, host := range []string{
		"ΑΜΑΖΟΝ.com", "www.ΑΜΑΖΟΝ.COM", "ѕТЕАМ-ΡΑΥΡΑL.com", "МІСRОЅОFТ.com", "ꓮꓟꓮꓜꓳꓠ.com", "ᎷᏆᏟᎡOᏚOFᎢ.com", "INSΤΑGRΑΜ.com",
		"SΤΕΑΜΡΟWΕRΕD.com", "ТWІТСН.tv", "ꓣꓰꓓꓓꓲꓔ.com",
	} {
		link := parse(t, "http://"+host+"/")
		if worst := j.Link(link).Worst(); worst < policy.SeverityMedium {
			t.Errorf("%s: %s", host, worst)
		}
	}
}

// TestSuffixesThatLookAlike: a protected name is found before a label that looks like its suffix.
func TestSuffixesThatLookAlike(t *testing.T) {
	j := newJudge(t, policy.Options{})
	for host, want := range map[string]policy.Severity{
		"paypal.c0m.example.net":      policy.SeverityMedium,
		"paypal.corn.example.net":     policy.SeverityMedium,
		"paypal.çom-login.example":    policy.SeverityMedium,
		"www.apple.cọm.example.net":   policy.SeverityMedium,
		"paypal.corner.example.net":   policy.SeverityNone,
		"apple.cam.example.net":       policy.SeverityNone,
		"microsoft.con.example.net":   policy.SeverityNone,
		"paypal.example.net":          policy.SeverityNone,
		"paypal-community.example.jp": policy.SeverityNone,
	} {
		link := parse(t, "http://"+host+"/")
		if worst := j.Link(link).Worst(); worst < want || want < policy.SeverityMedium && worst >= policy.SeverityMedium {
			t.Errorf("%s: %s", host, worst)
		}
	}
}
