package uts39_test

import (
	"fmt"

	"github.com/linkmilter/linkmilter/policy/uts39"
)

func ExampleLevelOf() {
	for _, s := range []string{"example", "пример", "jp-カフェ", "shopไทย", "pаypal"} {
		fmt.Println(uts39.LevelOf(s))
	}
	// Output:
	// ASCII-Only
	// Single Script
	// Highly Restrictive
	// Moderately Restrictive
	// Minimally Restrictive
}

func ExampleSkeleton() {
	fmt.Println(uts39.Skeleton("раураӏ") == uts39.Skeleton("paypal"))
	fmt.Println(uts39.Skeleton("rnicrosoft"), uts39.Skeleton("microsoft"))
	// Output:
	// true
	// rnicrosoft rnicrosoft
}

// One pass tells whether a label has only characters for identifiers, digits of
// one number system, and scripts that go together.
func ExampleAnalyze() {
	for _, s := range []string{"пример", "i❤u", "8৪", "pаypal"} {
		a := uts39.Analyze(s)
		fmt.Println(a.Allowed, a.MixedNumbers, a.Mixture())
	}
	// Output:
	// true false Single Script
	// false false Single Script
	// true true Single Script
	// true false Minimally Restrictive
}

// Right-to-left letters are displayed in another order than they are written in.
func ExampleBidiSkeleton() {
	fmt.Println(uts39.BidiSkeleton("סוסו") == uts39.BidiSkeleton("lolo"), uts39.Skeleton("סוסו") == uts39.Skeleton("lolo"))
	// Output: true false
}

// Whole words of another script can read as Latin.
func ExampleReadsASCII() {
	fmt.Println(uts39.ReadsASCII("раураӏ"), uts39.ReadsASCII("пример"))
	// Output: true false
}
