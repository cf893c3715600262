package sheet

import "testing"

// TestLinks: the links of formulas, also with quotes that CSV doubles, and the formulas that are
// not known.
func TestLinks(t *testing.T) {
	const link = `<a href="http://a/">b</a>` + "\n"
	for source, want := range map[string]struct {
		links string
		known bool
	}{
		"a,b\n":                                            {"", true},
		"=SUM(A1)":                                         {"", true},
		"hyperlink (optional)":                             {"", true},
		`=HYPERLINK("http://a/","b")`:                      {link, true},
		`1;=hyperlink ( "http://a/" ; "b" )`:               {link, true},
		`x,"=HYPERLINK(""http://a/"",""b"")"`:              {link, true},
		`=LIEN_HYPERTEXTE("http://a/";"b")`:                {link, true},
		`C;EHYPERLINK("http://a/","b")`:                    {link, true},
		`=IF(A1,HYPERLINK("http://a/","b"),"")`:            {link, true},
		`=HYPERLINK("http://a/")`:                          {`<a href="http://a/">http://a/</a>` + "\n", true},
		`=HYPERLINK("http://a/","x ""b""")`:                {`<a href="http://a/">x &#34;b&#34;</a>` + "\n", true},
		`=HYPERLINK(A1,"b")`:                               {"", false},
		`=HYPERLINK("http://"&"a/","b")`:                   {"", false},
		`=HYPERLINK(A1,"b")&HYPERLINK("http://a/","b")`:    {link, false},
		"=HYPERLINK(\"http://a/\",\n\"b\")":                {"", false},
		`=HYPERLINK(LOWER("HTTP://A/"),"b"),"=HYPERLINK("`: {"", false},
	} {
		if links, known := Links(t.Context(), source); links != want.links || known != want.known {
			t.Errorf("%s: %q, %t; want %q, %t", source, links, known, want.links, want.known)
		}
	}
}
