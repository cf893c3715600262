package printable

import (
	"errors"
	"strings"
)

// Error returns the text of an error for a terminal, with a line for each of the errors
// that it joins. It escapes controls, also a line end within one of these errors, as in
// the path of a file.
func Error(err error) string {
	text := err.Error()
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var raw, lines []string
		for _, one := range joined.Unwrap() {
			raw, lines = append(raw, one.Error()), append(lines, Error(one))
		}
		if strings.Join(raw, "\n") == text {
			return strings.Join(lines, "\n")
		}
	}
	if inner := errors.Unwrap(err); inner != nil {
		if context, ok := strings.CutSuffix(text, inner.Error()); ok {
			return Text(context) + Error(inner)
		}
	}
	return Text(text)
}
