package htmlpart_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter/htmlpart"
)

// TestDeclarations: the entities and attributes that a document type declaration defines are read.
func TestDeclarations(t *testing.T) {
	const link, url = `<a href="&u;">x</a>`, "http://x.example/"
	isRead := func(declarations, content string) bool {
		for item := range htmlpart.Read(t.Context(), "<!DOCTYPE x ["+declarations+"]><x>"+content+"</x>", maxToken) {
			if item.URL == url {
				return true
			}
		}
		return false
	}
	for _, test := range []struct{ declarations, content string }{
		{`<!ENTITY u "http://x.example/">`, link},
		{`<!entity u 'http://x.example/' >`, link},
		{"<!ENTITY\tu\r\n\"http://x.example/\">", link},
		{`<!ENTITY u "http://x.example/"><!ENTITY u "http://y.example/">`, link},
		{`<!ENTITY v "'<!ENTITY u 'y'>"><!ENTITY u "http://x.example/">`, link},
		{`<!ENTITYu "y"><!ENTITY u"y"><!ENTITY %u "y"><!ENTITY u y><!ENTITY u "http://x.example/">`, link},
		{`<!ENTITY u "http://&#120;&#x2e;example&#47;">`, link},
		{`<!ENTITY v "http:&w;"><!ENTITY w "//x.example/"><!ENTITY u "&v;">`, link},
		{`<!ENTITY % p "<!ENTITY u 'http://x.example/'>">%p;`, link},
		{`<!ENTITY % q "<!ENTITY u 'http://x.example/'>"><!ENTITY % p "&#37;q;">%p;`, link},
		{`<!ATTLIST a href CDATA "http://x.example/">`, "<a>x</a>"},
		{`<!attlist a href CDATA #FIXED 'http://x.example/'>`, "<a>x</a>"},
		{`<!ATTLIST a id ID #IMPLIED kind (a|b) "a" href CDATA "http://x.example/">`, "<a>x</a>"},
		{`<!ATTLIST a x CDATA "a>b" href CDATA "http://x.example/">`, "<a>x</a>"},
		{`<!ATTLIST a href CDATA "&u;"><!ENTITY u "http://x.example/">`, "<a>x</a>"},
		{`<!ENTITY % p "<!ATTLIST a href CDATA 'http://x.example/'>">%p;`, "<a>x</a>"},
		{`<!ATTLIST <!ATTLIST b <!ATTLIST a href CDATA "http://x.example/">`, "<a>x</a>"},
	} {
		if !isRead(test.declarations, test.content) {
			t.Errorf("%s: %s is not read", test.declarations, url)
		}
	}
	for _, declarations := range []string{
		`<!ENTITY u "http://y.example/"><!ENTITY u "http://x.example/">`,
		`<!ENTITY % u "http://x.example/">`,
		`<!ATTLIST b href CDATA "http://x.example/">`,
		`<!ATTLIST a href CDATA #IMPLIED "http://x.example/">`,
	} {
		if isRead(declarations, link+"<a>x</a>") {
			t.Errorf("%s: %s is read", declarations, url)
		}
	}
}

// TestLeftOutDeclarations: a reading is partial without the end of a document type declaration, and
// where it is in doubt which declaration counts.
func TestLeftOutDeclarations(t *testing.T) {
	long := strings.Repeat("<!-- -->", 40<<10)
	filled := func(last string) string { // up to the end of what is read
		return strings.Repeat(" ", 256<<10-len("<!DOCTYPE x [")-len(last)) + last
	}
	for name, test := range map[string]struct {
		source  string
		partial bool
	}{
		"entity":                         {"<!DOCTYPE x [" + long + `<!ENTITY u "http://x.example/">]><a href="&u;">x</a>`, true},
		"attribute":                      {"<!DOCTYPE x [" + long + `<!ATTLIST a href CDATA "http://x.example/">]><a>x</a>`, true},
		"across the end of what is read": {"<!DOCTYPE x [" + filled(`<!ENTITY u "http://x.example/`) + `x">]><a href="&u;">x</a>`, true},
		"list across the end":            {"<!DOCTYPE x [" + filled(`<!ATTLIST a href CDATA `) + `"http://x.example/">]><a>x</a>`, true},
		"keyword across the end":         {"<!DOCTYPE x [" + filled(`<!ENT`) + `ITY u "http://x.example/">]><a href="&u;">x</a>`, true},
		"behind a long parameter":        {`<!DOCTYPE x [<!ENTITY % p "` + strings.Repeat("x", 200<<10) + `">%p;<!ATTLIST a href CDATA "http://x.example/">]><a>x</a>`, true},
		"another entity in a comment":    {`<!DOCTYPE x [<!-- <!ENTITY u "y"> --><!ENTITY u "http://x.example/">]><a href="&u;">x</a>`, true},
		"another attribute in a comment": {`<!DOCTYPE x [<!-- <!ATTLIST a href CDATA "y"> --><!ATTLIST a href CDATA "http://x.example/">]><a>x</a>`, true},
		"another attribute in a value":   {`<!DOCTYPE x [<!ENTITY e "<!ATTLIST a href CDATA 'y'>"><!ATTLIST a href CDATA "http://x.example/">]><a>x</a>`, true},
		"the same twice":                 {`<!DOCTYPE x [<!ENTITY % p "<!ENTITY u 'y'>">%p;<!ENTITY u "y"><!ATTLIST a x CDATA "y"><!ATTLIST a x CDATA "y">]><a href="&u;">x</a>`, false},
		"document":                       {"<!DOCTYPE x [<!ENTITY u \"http://x.example/\">]>" + long + `<a href="&u;">x</a>`, false},
		"HTML":                           {"<!DOCTYPE html>" + long + "<a href=http://x.example/>x</a>", false},
	} {
		var last error
		for _, err := range htmlpart.Read(t.Context(), test.source, maxToken) {
			last = err
		}
		if errors.Is(last, htmlpart.ErrTooComplex) != test.partial {
			t.Errorf("%s: %v, want partial %t", name, last, test.partial)
		}
	}
}
