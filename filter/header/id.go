package header

import (
	"fmt"
	"strings"
)

// maxID is the length in bytes of an id, as of a host name.
const maxID = 253

// ValidateID refuses a text that cannot name a filter in the fields that it writes.
func ValidateID(id string) error {
	odd := func(r rune) bool { return r > '~' || !isIDByte(byte(r)) }
	if !isToken(id) || strings.IndexFunc(id, odd) >= 0 || len(id) > maxID {
		return fmt.Errorf("id %q: not a host name that begins with a letter", id)
	}
	return nil
}
