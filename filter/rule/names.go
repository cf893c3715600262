package rule

import (
	"fmt"
	"slices"
	"strings"
)

// nameOf returns the name of a choice.
func nameOf[T ~uint8](names []string, choice T) string {
	if int(choice) < len(names) {
		return names[choice]
	}
	return fmt.Sprintf("unknown %d", uint8(choice))
}

// readName sets *choice to the one with the given name. The error lists the names.
func readName[T ~uint8](choice *T, names []string, text []byte) error {
	i := slices.Index(names, string(text))
	if i < 0 {
		return fmt.Errorf("unknown value %q: it is one of %s", text, strings.Join(names, ", "))
	}
	*choice = T(i)
	return nil
}
