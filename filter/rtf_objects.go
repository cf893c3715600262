package filter

import (
	"context"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// rtfObjects collects the bytes of objects in RTF and of the data of fields. They are written in
// hexadecimal digits, and hold links that Word opens.
type rtfObjects struct {
	data  []byte
	digit byte // the first one of a byte, or 0
	depth int  // open groups
	from  int  // the depth of the data that is open, or 0
	state rtfState
}

// objectsOfRTF returns the bytes of the objects and the data of fields in RTF. It ends with ctx, which
// the reader of the bytes reports.
func objectsOfRTF(ctx context.Context, source string) []byte {
	if !strings.Contains(source, `\objdata`) && !strings.Contains(source, `\datafield`) {
		return nil
	}
	o := rtfObjects{state: newRTFState(true)}
	walkRTF(ctx, source, o.read)
	return o.data
}

// read reads the start of s and returns how many bytes.
func (o *rtfObjects) read(s string) int {
	switch c := s[0]; {
	case c == '{':
		o.depth++
	case c == '}':
		if o.depth--; o.depth < o.from {
			o.from, o.digit = 0, 0
			o.data = append(o.data, 0) // separates strings
		}
	case c == '\\' && len(s) > 1:
		control := controlOfRTF(s, &o.state)
		if o.from == 0 && (control.word == "objdata" || control.word == "datafield") {
			o.from = max(o.depth, 1)
		}
		return control.size
	case o.from > 0 && o.digit == 0 && ascii.IsHex(c):
		o.digit = c
	case o.from > 0 && ascii.IsHex(c):
		b, _ := ascii.HexByte(o.digit, c)
		o.data, o.digit = append(o.data, b), 0
	}
	return 1
}
