package charset

import (
	"bytes"
	"iter"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// yencName is in front of the name, in the line before a file in yEnc.
var yencName = []byte(" name=")

// YEncoded iterates over the files in yEnc that a content holds, which newsreaders such as
// Thunderbird show as attachments. Its transfer encoding must be undone, but it must not be
// converted from its charset. YEncoded stops when the context of t ends.
func YEncoded(t *meter.Meter, content []byte) iter.Seq[File] {
	return func(yield func(File) bool) {
		for len(content) > 0 && t.Err() == nil {
			line, after := cutLine(content)
			content = after
			if t.Spend(len(line)+1) != nil || !bytes.HasPrefix(line, []byte(YEncHead)) {
				continue
			}
			var file File
			if _, name, ok := bytes.Cut(line, yencName); ok {
				file.Name = string(bytes.Trim(name, " \t\r\n"))
			}
			file.Content, content = cutYEncoded(t, content)
			if !yield(file) {
				return
			}
		}
	}
}

// cutYEncoded decodes the lines up to the end of a file. Lines with "=y" are not data.
func cutYEncoded(t *meter.Meter, content []byte) (decoded, rest []byte) {
	for len(content) > 0 {
		line, after := cutLine(content)
		content = after
		if t.Spend(len(line)+1) != nil {
			return nil, nil
		}
		if bytes.HasPrefix(line, []byte("=yend")) {
			return decoded, content
		}
		if !bytes.HasPrefix(line, []byte("=y")) {
			decoded = appendYEncoded(decoded, line)
		}
	}
	return decoded, nil
}

// appendYEncoded decodes a line: each byte plus 42, and after "=" plus 64 more.
func appendYEncoded(decoded, line []byte) []byte {
	for i := 0; i < len(line); i++ {
		c := line[i]
		if c == '=' && i+1 < len(line) {
			i++
			c = line[i] - 64
		}
		decoded = append(decoded, c-42)
	}
	return decoded
}
