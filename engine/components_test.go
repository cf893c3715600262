package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestComponents(t *testing.T) {
	tests := []struct {
		name, link string
		want       Components
	}{
		{"everything", "HTTPS://me:pass@Bücher.de:8443/a/b?c=d?e#f#g:~:text=h&i:~:j", Components{
			Scheme: "HTTPS", Userinfo: "me:pass", Host: "Bücher.de", Port: "8443", Path: "/a/b",
			Query: "c=d?e", Fragment: "f#g", Directives: []string{"text=h&i", "j"},
		}},
		{"bare host", "example.com", Components{Host: "example.com"}},
		{"final dot", "example.com./", Components{Host: "example.com.", Path: "/"}},
		{"query without path", "example.com?q", Components{Host: "example.com", Query: "q"}},
		{"fragment without path", "example.com#f/?", Components{Host: "example.com", Fragment: "f/?"}},
		{"question mark in the fragment", "example.com/#a?b", Components{Host: "example.com", Path: "/", Fragment: "a?b"}},
		{"directive without fragment", "example.com#:~:text=a", Components{Host: "example.com", Directives: []string{"text=a"}}},
		{"mark of a directive outside the fragment", "example.com/:~:a?:~:b", Components{Host: "example.com", Path: "/:~:a", Query: ":~:b"}},
		{"empty parts", "http://example.com:/?#", Components{Scheme: "http", Host: "example.com", Path: "/"}},
		{"IPv6", "http://[2001:db8::1]:80/", Components{Scheme: "http", Host: "[2001:db8::1]", Port: "80", Path: "/"}},
		{"at sign in the path", "http://example.com/@me", Components{Scheme: "http", Host: "example.com", Path: "/@me"}},
		{"two at signs before the host", "http://a@b@example.com/", Components{Scheme: "http", Userinfo: "a@b", Host: "example.com", Path: "/"}},
		{"address", "info@example.com", Components{Userinfo: "info", Host: "example.com"}},
		{"mailto: with fields", "mailto:info@example.com?subject=a", Components{Scheme: "mailto", Userinfo: "info", Host: "example.com", Query: "subject=a"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, err := ParseLink(tt.link)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, l.Components()); diff != "" {
				t.Errorf("components of %q (-want +got):\n%s", tt.link, diff)
			}
		})
	}
}

// TestComponentsOfFoundLinks: a link found in a text has the same parts as
// the same link read as a whole.
func TestComponentsOfFoundLinks(t *testing.T) {
	s, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, p := range readablePairs(t) {
		for _, found := range s.Append(nil, "(see "+p[0]+" )") {
			whole, err := ParseLink(found.Text)
			if err != nil {
				t.Errorf("ParseLink(%q): %v", found.Text, err)
				continue
			}
			n++
			if diff := cmp.Diff(whole.Components(), found.Components()); diff != "" {
				t.Errorf("%q (-read as a whole +found):\n%s", found.Text, diff)
			}
			if whole.Kind != found.Kind || whole.Href() != found.Href() {
				t.Errorf("%q is %s %q as a whole, %s %q as found", found.Text, whole.Kind, whole.Href(), found.Kind, found.Href())
			}
		}
	}
	if n < 250 {
		t.Errorf("only %d links were found", n)
	}
}

// TestComponentsAllocate: Components allocates nothing, since detection has parsed the link.
func TestComponentsAllocate(t *testing.T) {
	l, err := ParseLink("https://me@example.com:8443/a/b?c#d")
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { l.Components() }); n != 0 {
		t.Errorf("Components allocates %v times", n)
	}
}
