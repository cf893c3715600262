package engine_test

import (
	"fmt"

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
