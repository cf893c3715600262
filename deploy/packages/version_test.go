package main

import "testing"

func TestParseVersion(t *testing.T) {
	for described, want := range map[string]string{
		"v1.2.3":                     "1.2.3",
		"1.2.3":                      "1.2.3",
		"v1.2.3-dirty":               "1.2.3+dirty",
		"v1.2.3-rc.1":                "1.2.3~rc.1",
		"v1.2.3-4-gabc1234":          "1.2.3+4.gabc1234",
		"v1.2.3-rc1-4-gabc1234":      "1.2.3~rc1+4.gabc1234",
		"v1.2.3-rc1-4-gabc123-dirty": "1.2.3~rc1+4.gabc123.dirty",
		"c69016c":                    "0+0.gc69016c",
		"1234567":                    "0+0.g1234567",
		"c69016c-dirty":              "0+0.gc69016c.dirty",
		"":                           "",
		"unknown":                    "",
		"v1.2.3 ":                    "",
		"v1.2.3-":                    "",
	} {
		got, err := parseVersion(described)
		if want == "" != (err != nil) || err == nil && got.String() != want {
			t.Errorf("%q: %s, %v; want %s", described, got, err, want)
		}
	}
}
