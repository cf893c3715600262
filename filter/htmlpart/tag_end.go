package htmlpart

import (
	"strings"
)

// Where a byte of a start tag is.
const (
	inName = iota // of the element
	beforeAttribute
	inAttribute
	afterAttribute
	beforeValue
	inValue
)

// tagEnd returns the offset behind a start tag, whose name begins or ends at an offset, and the
// number of its attributes. solidus reports that the "/" before its end belongs to
// a value, so that it does not close the element (HTML §13.2.5.38).
func tagEnd(source string, at int) (end, attributes int, solidus bool) {
	state := inName
	for i := at; i < len(source); i++ {
		c := source[i]
		blank := c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f'
		if c == '>' {
			return i + 1, attributes, state == inValue && source[i-1] == '/'
		}
		switch state {
		case inName:
			if blank || c == '/' {
				state = beforeAttribute
			}
		case beforeAttribute, afterAttribute:
			switch {
			case blank:
			case c == '/':
				state = beforeAttribute
			case c == '=' && state == afterAttribute:
				state = beforeValue
			default:
				state = inAttribute
				attributes++
			}
		case inAttribute:
			switch {
			case blank:
				state = afterAttribute
			case c == '/':
				state = beforeAttribute
			case c == '=':
				state = beforeValue
			}
		case beforeValue:
			switch {
			case blank:
			case c == '"' || c == '\'':
				n := strings.IndexByte(source[i+1:], c)
				if n < 0 {
					return len(source), attributes, false
				}
				i += n + 1
				state = beforeAttribute
			default:
				state = inValue
			}
		case inValue:
			if blank {
				state = beforeAttribute
			}
		}
	}
	return len(source), attributes, false
}
