package rule

import "fmt"

// nameOf returns the name of a choice.
func nameOf[T ~uint8](names []string, choice T) string {
	if int(choice) < len(names) {
		return names[choice]
	}
	return fmt.Sprintf("unknown %d", uint8(choice))
}
