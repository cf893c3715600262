package contentfilter

import (
	"bufio"
	"bytes"
)

// A dotWriter writes the content of a message after DATA (RFC 5321 §4.5.2): it doubles a dot at the
// start of a line and changes no other byte. A line begins only after CRLF. end returns the first
// error of the underlying writer.
type dotWriter struct {
	out *bufio.Writer
	mid bool // not at the beginning of a line
	cr  bool // the byte before was a CR
}

// lineWithDot is a line end and the dot that the next line begins with.
var lineWithDot = []byte("\r\n.")

// write writes more of the content.
func (w *dotWriter) write(p []byte) {
	for len(p) > 0 {
		if !w.mid && p[0] == '.' {
			_ = w.out.WriteByte('.')
		}
		// Write up to the next line that begins with a dot, or everything.
		end := len(p)
		if w.cr && p[0] == '\n' {
			end = 1
		} else if i := bytes.Index(p, lineWithDot); i >= 0 {
			end = i + 2
		}
		piece := p[:end]
		_, _ = w.out.Write(piece)
		last := piece[end-1]
		w.mid = last != '\n' || (end > 1 && piece[end-2] != '\r') || (end == 1 && !w.cr)
		w.cr = last == '\r'
		p = p[end:]
	}
}

// end ends the content with CRLF, if the last line lacks it, and the dot, and sends everything.
func (w *dotWriter) end() error {
	if w.mid {
		_, _ = w.out.WriteString("\r\n")
	}
	_, _ = w.out.WriteString(".\r\n")
	return w.out.Flush()
}
