//go:build faults

package filter

import "bytes"

// enter panics if a field of the message asks for it: "X-Linkmilter-Panic: read".
func enter(s stage, raw []byte) {
	header, _, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
	if bytes.Contains(header, []byte("\r\nX-Linkmilter-Panic: "+string(s)+"\r\n")) {
		panic("asked for in stage " + s)
	}
}
