package engine_test

import (
	"fmt"

	"github.com/linkmilter/linkmilter/engine"
)

func ExampleUnseen() {
	text := "Your A\u200bp\u200bp\u200bl\u200be ID\U000e0070\U000e0061\U000e0079"
	for u := range engine.Unseen(text) {
		fmt.Printf("%s at %d: %d characters, says %q\n", u.Kind, u.Start, u.Count, u.Decoded)
	}
	// Output:
	// split at 5: 4 characters, says "Apple"
	// tags at 25: 3 characters, says "pay"
}

func ExampleClean() {
	fmt.Println(engine.Clean("Your A\u200bp\u200bp\u200bl\u200be ID, 👩\u200d🚀 and می\u200cخواهم"))
	// Output:
	// Your Apple ID, 👩‍🚀 and می‌خواهم
}
