package tld_test

import (
	"fmt"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/engine/tld"
)

// A program's set of names decides which bare hosts are links.
func ExampleParse() {
	set, err := tld.Parse(strings.NewReader("# Version 1\nCOM\nXN--P1AI\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	scanner, err := engine.New(engine.Options{TLDs: set})
	if err != nil {
		fmt.Println(err)
		return
	}
	for link := range scanner.All("example.com, \u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444 and example.org") {
		fmt.Println(link.ASCIIHost())
	}
	// Output:
	// example.com
	// xn--e1afmkfd.xn--p1ai
}

// A network can have top-level domains that the root zone of the DNS does not have.
func ExampleSet_With() {
	set, err := tld.Builtin().With("corp")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tld.Builtin().Contains("corp"), set.Contains("CORP"), set.Len()-tld.Builtin().Len())
	// Output: false true 1
}
