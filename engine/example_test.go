package engine_test

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
)

func ExampleScanner_Append() {
	scanner, err := engine.New(engine.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := "See example.com, https://例え.jp/パス (or write to 用户@example.org)."
	var links []engine.Link // kept between texts, it makes Append free of allocations
	links = scanner.Append(links[:0], text)
	for _, l := range links {
		fmt.Println(l.Kind, l.Start, l.End, l.Text, l.ASCIIHost())
	}
	// Output:
	// url 4 15 example.com example.com
	// url 17 41 https://例え.jp/パス xn--r8jz45g.jp
	// email 55 73 用户@example.org example.org
}

// The methods have the names and results of those of package regexp.
func ExampleScanner_FindAllString() {
	var scanner engine.Scanner // the zero value can be used
	fmt.Printf("%q\n", scanner.FindAllString("See example.com/a, https://例え.jp/パス。", -1))
	// Output:
	// ["example.com/a" "https://例え.jp/パス"]
}

func ExampleScanner_FindAllIndex() {
	var scanner engine.Scanner
	text := []byte("write to info@example.com")
	for _, b := range scanner.FindAllIndex(text, -1) {
		fmt.Printf("%d %s\n", b, text[b[0]:b[1]])
	}
	// Output:
	// [9 25] info@example.com
}

// A defanged link can be read, but not clicked.
func ExampleScanner_Replace() {
	scanner, err := engine.New(engine.Options{Suspects: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := "Log in at https://paypal.com@evil.example/login, or ask help@example.com."
	fmt.Println(scanner.Replace(text, func(l engine.Link) string {
		return strings.NewReplacer(".", "[.]", "@", "[@]", "://", "[://]").Replace(l.Text)
	}))
	// Output:
	// Log in at https[://]paypal[.]com[@]evil[.]example/login, or ask help[@]example[.]com.
}

// A program finds the scheme and host of a link by a regular expression of its own; the scanner
// finds where the link ends.
func ExampleScanner_LinkEnd() {
	var scanner engine.Scanner
	text := "(see HTTPS://wiki.example/wiki/Άλφα_(γράμμα), or gopher://example.com/1/a.)"
	for _, b := range regexp.MustCompile(`(?i)\b[a-z]+://[a-z0-9.-]+`).FindAllStringIndex(text, -1) {
		end := scanner.LinkEnd(text, b[0], b[1])
		fmt.Println(text[b[0]:end])
	}
	// Output:
	// HTTPS://wiki.example/wiki/Άλφα_(γράμμα)
	// gopher://example.com/1/a
}

func ExampleResolve() {
	for _, reference := range []string{"../größe?q", "//cdn.example.com", "https:page", "HTTP://Example.org:80/./a"} {
		url, err := engine.Resolve("https://example.com/a/b/c", reference)
		fmt.Println(url, err)
	}
	// Output:
	// https://example.com/a/gr%C3%B6%C3%9Fe?q <nil>
	// https://cdn.example.com/ <nil>
	// https://example.com/a/b/page <nil>
	// http://example.org/a <nil>
}

func ExampleEquivalent() {
	fmt.Println(engine.Equivalent("https://例え.jp", "HTTPS://xn--r8jz45g.JP:443/a/.."))
	fmt.Println(engine.Equivalent("https://example.com/a", "https://example.com/%61"))
	// Output:
	// true
	// false
}

func ExampleOptions_schemes() {
	scanner, err := engine.New(engine.Options{Schemes: []string{"tel", "sftp"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for l := range scanner.All("Call tel:+1-201-555-0123, or get sftp://files.example.com/größe.") {
		fmt.Println(l.Text, l.Href())
	}
	// Output:
	// tel:+1-201-555-0123 tel:+1-201-555-0123
	// sftp://files.example.com/größe sftp://files.example.com/gr%C3%B6%C3%9Fe
}

func ExampleOptions_suspects() {
	scanner, err := engine.New(engine.Options{Strict: true, Suspects: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for l := range scanner.All("Log in at http://paypal.com@evil.example/login or http://0x7f.1/") {
		fmt.Println(l.Kind, l.Reason, l.Text)
	}
	// Output:
	// suspect userinfo http://paypal.com@evil.example/login
	// suspect obfuscated-ip http://0x7f.1/
}

func ExampleOptions_maxLinks() {
	scanner, err := engine.New(engine.Options{MaxLinks: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := "a.com b.com c.com"
	links := scanner.Append(nil, text)
	fmt.Printf("%d %q\n", len(links), text[links[1].End:])
	// Output:
	// 2 " c.com"
}

func ExampleLink_Components() {
	link, err := engine.ParseLink("https://user@bücher.de:8443/a?b=c#d:~:text=e")
	if err != nil {
		fmt.Println(err)
		return
	}
	c := link.Components()
	fmt.Println(c.Scheme, c.Userinfo, c.Host, c.Port, c.Path, c.Query, c.Fragment, c.Directives)
	fmt.Println(link.ASCIIHost(), link.UnicodeHost())
	// Output:
	// https user bücher.de 8443 /a b=c d [text=e]
	// xn--bcher-kva.de bücher.de
}

func ExampleLink_Readable() {
	scanner, err := engine.New(engine.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text := "Reserved for you (https://example.de/stra%C3%9Fe?to=%2Fhome)."
	for link := range scanner.All(text) {
		fmt.Println(link.Text)
		fmt.Println(link.Readable(engine.HostUnicode))
		fmt.Println(link.Href())
	}
	// Output:
	// https://example.de/stra%C3%9Fe?to=%2Fhome
	// https://example.de/straße?to=%2Fhome
	// https://example.de/stra%C3%9Fe?to=%2Fhome
}

func ExampleFormat() {
	minimal, err := engine.Format("https://ja.wikipedia.org/wiki/%E3%82%A2%E3%83%AB%29.")
	fmt.Println(minimal, err)
	// Output:
	// https://ja.wikipedia.org/wiki/アル%29%2E <nil>
}

func ExampleStructure_Minimal() {
	link := engine.Structure{
		Origin: "https://example.com",
		Path:   []string{"α", "β/γ"},
		Query:  []engine.Parameter{{Key: "q", Value: "δ & ε."}},
	}
	fmt.Println(link.Minimal())
	// Output:
	// https://example.com/α/β%2Fγ?q=δ%20%26%20ε%2E
}

func ExampleFormatAddress() {
	address, err := engine.FormatAddress("john doe", "example.com")
	fmt.Println(address, err)
	// Output:
	// "john doe"@example.com <nil>
}
