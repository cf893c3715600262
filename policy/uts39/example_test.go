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

func ExampleConfusable() {
	fmt.Println(uts39.Confusable("раураӏ", "paypal"))
	fmt.Println(uts39.Skeleton("rnicrosoft"), uts39.Skeleton("microsoft"))
	// Output:
	// true
	// rnicrosoft rnicrosoft
}
