package mime

import (
	"errors"
	"fmt"
)

// unreadable returns the error for a part that cannot be read. The detail is for people;
// it may be empty, and may quote the message.
func unreadable(reason Reason, format string, args ...any) error {
	return describe("unreadable part", reason, fmt.Sprintf(format, args...))
}

// refused returns the error for an edit or an edited message that is refused. The detail
// is for people and may be empty.
func refused(reason Reason, format string, args ...any) error {
	return describe("edit refused", reason, fmt.Sprintf(format, args...))
}

func describe(what string, reason Reason, detail string) error {
	if detail == "" {
		return fmt.Errorf("%s: %w", what, reason)
	}
	return fmt.Errorf("%s: %w: %s", what, reason, detail)
}

// reasonOf returns the reason why a part cannot be read.
func reasonOf(err error) Reason {
	var reason Reason
	if errors.As(err, &reason) {
		return reason
	}
	return reasonUndecodable
}
