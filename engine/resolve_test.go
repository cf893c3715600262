package engine

import (
	"math/rand/v2"
	"strings"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/linkmilter/linkmilter/internal/test/long"
)

// TestResolve: reference resolution of the URL specification, with its examples.
func TestResolve(t *testing.T) {
	const page = "http://a/b/c/d;p?q#f"
	for _, c := range []struct{ base, reference, want string }{
		// A note about multiple slashes.
		{"", "http:foo/bar", "http://foo/bar"},
		{"", "http:/foo/bar", "http://foo/bar"},
		{"", "http://foo/bar", "http://foo/bar"},
		{"", "http:///foo/bar", "http://foo/bar"},
		{"http://host/", "http:foo/bar", "http://host/foo/bar"},
		{"http://host/", "http:/foo/bar", "http://host/foo/bar"},
		{"http://host/", "http://foo/bar", "http://foo/bar"},
		{"http://host/", "http:///foo/bar", "http://foo/bar"},
		// The goto operation makes a path-root.
		{"http://host", "foo/bar", "http://host/foo/bar"},
		// Each order of component (RFC 3986 §5.4 has more of them).
		{page, "https://e/f", "https://e/f"},
		{page, "//e/f", "http://e/f"},
		{page, "/e", "http://a/e"},
		{page, "e", "http://a/b/c/e"},
		{page, "e/f", "http://a/b/c/e/f"},
		{page, "?e", "http://a/b/c/d;p?e"},
		{page, "#e", "http://a/b/c/d;p?q#e"},
		{page, "", "http://a/b/c/d;p?q"},
		{page, " \t", "http://a/b/c/d;p?q"},
		{page, "?", "http://a/b/c/d;p?"},
		{page, "#", "http://a/b/c/d;p?q#"},
		{page, "g;x?y#s", "http://a/b/c/g;x?y#s"},
		{page, "g?y/../x", "http://a/b/c/g?y/../x"},
		{page, "http:g", "http://a/b/c/g"},
		{page, "HTTP:?g", "http://a/b/c/d;p?g"},
		{page, "http:", "http://a/b/c/d;p?q"},
		{page, "https:g", "https://g/"},
		{page, "g:h", "g:h"},
		{page, "1:h", "http://a/b/c/1:h"},
		// Path segment normalisation, also of the base.
		{page, ".", "http://a/b/c/"},
		{page, "..", "http://a/b/"},
		{page, "../../../g", "http://a/g"},
		{page, "./g/.", "http://a/b/c/g/"},
		{page, "%2e%2E/g", "http://a/b/g"},
		{"http://a/b/c/..", "g", "http://a/b/g"},
		{"http://a/b/%2e%2e", "g", "http://a/g"},
		{"http://a//b//", "..", "http://a//b/"},
		// Browsers read backslashes as slashes, and skip white space.
		{page, `\\e\f`, "http://e/f"},
		{page, `\e`, "http://a/e"},
		{page, `/\e`, "http://e/"},
		{page, " g\n/h ", "http://a/b/c/g/h"},
		// Authority and scheme-based authority normalisation.
		{"https://u:@H:443", "a", "https://u@h/a"},
		{"https://@h:", "a", "https://h/a"},
		{"ftp://h:21/", "a", "ftp://h/a"},
		{"wss://h:443/", "a", "wss://h/a"},
		{"https://u:p@h:8/", "//i", "https://i/"},
		{"https://u:p@h:8/", "i", "https://u:p@h:8/i"},
		{"http://例え.jp/", "例", "http://xn--r8jz45g.jp/%E4%BE%8B"},
		{"http://0x7f.1/", "a", "http://127.0.0.1/a"},
		// File URLs: force, and drives.
		{"", "file:", "file:///"},
		{"", "file:a", "file:///a"},
		{"", "file:/a", "file:///a"},
		{"", "file://a", "file://a/"},
		{"", "file:///a", "file:///a"},
		{"", "file:////a", "file:////a"},
		{"", "file://localhost/a", "file:///a"},
		{"", "file:C|/a", "file:///C:/a"},
		{"", "file://C:/a", "file:///C:/a"},
		{"file://host/a/b", "c", "file://host/a/c"},
		{"file://host/a/b", "/c", "file://host/c"},
		{"file://host/a/b", "//c/d", "file://c/d"},
		{"file:///C:/a/b", "/c", "file:///C:/c"},
		{"file:///C:/a/b", "../../../c", "file:///C:/c"},
		{"file:///C:/a/b", "D|/c", "file:///D:/c"},
		{"file:///a/b", "?c", "file:///a/b?c"},
		{"file:///a/b", `\c`, "file:///c"},
		{"file:///a/b", "file:c", "file:///a/c"},
		{"file:///a", "http:b", "http://b/"},
		{"http://a/", "file:b", "file:///b"},
		{"http://a/", "b^", "http://a/b%5E"},
		{"file:///a", "b^", "file:///b%5E"},
		// Generic resolution.
		{"foo://h/a/b", "../c", "foo://h/c"},
		{"foo://h/a/b", "foo:c", "foo:c"},
		{"foo:/a/b", "//x/y", "foo://x/y"},
		{"foo:/a", "/.//b", "foo:/.//b"},
		{"mailto:joe@example.com", "#a", "mailto:joe@example.com#a"},
		{"about:blank", "https://a/", "https://a/"},
		{"", "data:text/html,a b", "data:text/html,a b"},
		// Refused.
		{"", "a", ""},
		{"example.com", "a", ""},
		{"http:///", "a", ""},
		{"http://a..b/", "c", ""},
		{"http://a:99999/", "c", ""},
		{page, "//a:b/", ""},
		{page, "http://", ""},
		{"mailto:joe@example.com", "a", ""},
		{"data:,a", "?b", ""},
		{"data:,a", "", ""},
		{"", "file://u@h/", ""},
		{"", "file://h:80/", ""},
		{"", "file://a..b/", ""},
		{page, "\xff", ""},
		{"\xff", "a", ""},
	} {
		got, err := Resolve(c.base, c.reference)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("Resolve(%q, %q) = %q, %v, want %q", c.base, c.reference, got, err, c.want)
		}
	}
}

// TestEquivalent: the equivalences of the URL specification.
func TestEquivalent(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"http://a", "HTTP://A:80/", true},
		{"https://a:443/b", "https://a/c/../b", true},
		{"https://a/./b", "https://a/%2e/b", true},
		{"https://a:/b", "https://:@a/b", true},
		{"https://u:@a/", "https://u@a/", true},
		{"ws://a:80", "ws://a", true},
		{"file://localhost/C|/a", "file:///C:/a", true},
		{"http://127.1/", "http://0x7f000001/", true},
		{"https://BÜCHER.de", "https://xn--bcher-kva.de", true},
		{"https://a/ü", "https://a/%C3%BC", true},
		{`https:\\a\b`, "https://a/b", true},
		{"mailto:joe@example.com", "MAILTO:joe@example.com", true},
		{"https://a/b", "https://a/B", false},
		{"https://a/b", "https://a/%62", false},
		{"https://a/%c3%bc", "https://a/%C3%BC", false},
		{"https://a/b", "https://a/b/", false},
		{"https://a/?", "https://a/", false},
		{"https://a/#b", "https://a/", false},
		{"https://a/", "http://a/", false},
		{"https://a./", "https://a/", false},
		{"foo://A/", "foo://a/", false},
		{"", "", false},
		{"a.com", "a.com", false},
		{"https://a..b/", "https://a..b/", false},
	} {
		if got := Equivalent(c.a, c.b); got != c.want {
			t.Errorf("Equivalent(%q, %q) = %t", c.a, c.b, got)
		}
		if Equivalent(c.a, c.b) != Equivalent(c.b, c.a) {
			t.Errorf("Equivalent(%q, %q) depends on the order", c.a, c.b)
		}
	}
}

// TestResolveLong: a URL of any length is resolved, or refused, in linear time.
func TestResolveLong(t *testing.T) {
	const n = 1 << 19
	for _, c := range []struct {
		unit  string
		valid bool
	}{
		{"http://a/" + strings.Repeat("b/../", n/5), true},
		{"http://a/" + strings.Repeat("/", n), true},
		{"http://" + strings.Repeat("@", n) + "a", true},
		{"data:," + strings.Repeat("a/", n/2), true},
		{"file:" + strings.Repeat("/", n), false},
		{"foo://" + strings.Repeat("@", n), false},
	} {
		if _, err := Resolve("", c.unit); (err == nil) != c.valid {
			t.Errorf("%.20s…: %.200v", c.unit, err)
		}
		if got, err := Resolve("http://a/"+strings.Repeat("../", n), "b"); got != "http://a/b" {
			t.Errorf("long base: %q, %v", got, err)
		}
	}
}

// TestResolveGenerated checks the properties of Resolve on references put together from pieces.
func TestResolveGenerated(t *testing.T) {
	pieces := strings.Split("http: https: file: foo: mailto: ws: / // \\ /// . .. ../ ./ %2e a b/ C: C| c|/ ? # ? q # f @ : :80 :443 u:p@ host A.example ü 例え.jp [::1] 127.1 localhost ^ % %41 ' \t", " ")
	r := rand.New(rand.NewPCG(58, 17))
	random := func() string {
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	valid := 0
	references := long.Rows(40000, 4000)
	for range references {
		base, reference := random(), random()
		if r.IntN(2) == 0 {
			base = pieces[r.IntN(6)] + "//host/" + base
		}
		if checkResolve(t, base, reference) {
			valid++
		}
	}
	if valid < references/4 {
		t.Errorf("only %d references resolved", valid)
	}
}

// FuzzResolve looks for references that break the properties.
func FuzzResolve(f *testing.F) {
	f.Add("http://a/b/c/d;p?q", "../../g")
	f.Add("file:///C:/a/b", "D|/c")
	f.Add("foo:/a", "/.//b")
	f.Fuzz(func(t *testing.T, base, reference string) {
		checkResolve(t, base, reference)
	})
}

// checkResolve checks the properties of Resolve and Equivalent that hold for all references, and
// reports whether the reference was resolved.
func checkResolve(t *testing.T, base, reference string) bool {
	t.Helper()
	url, err := Resolve(base, reference)
	if err != nil {
		return false
	}
	if again, err := Resolve("", url); again != url {
		t.Errorf("Resolve(%q, %q) = %q, which resolves to %q, %v", base, reference, url, again, err)
	}
	if again, err := Resolve("https://other.example/a/b?c#d", url); again != url {
		t.Errorf("%q resolves to %q, %v: it depends on the base", url, again, err)
	}
	if !Equivalent(url, url) {
		t.Errorf("%q is not equivalent to itself", url)
	}
	if _, err := Resolve("", reference); err == nil && !Equivalent(reference, reference) {
		t.Errorf("%q is not equivalent to itself", reference)
	}
	if Equivalent(base, url) != Equivalent(url, base) {
		t.Errorf("whether %q and %q are equivalent depends on the order", base, url)
	}
	if whole, err := Resolve("", base); err == nil {
		if !Equivalent(base, whole) {
			t.Errorf("%q is not equivalent to its serialisation %q", base, whole)
		}
		if again, _ := Resolve(whole, reference); again != url {
			t.Errorf("reference %q is %q at %q, but %q at %q", reference, url, base, again, whole)
		}
	}
	// The library escapes an older set of characters in a path, and handles escapes of hosts in
	// another order.
	if u, err := whatwg.ParseRef(base, reference); err == nil && !strings.Contains(base+reference, "^") {
		if peer := u.Href(false); peer != url {
			t.Errorf("Resolve(%q, %q) = %q, want %q", base, reference, url, peer)
		}
	}
	return true
}
