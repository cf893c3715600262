package engine_test

import (
	"fmt"

	"github.com/linkmilter/linkmilter/engine"
)

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
