package charset

import (
	"iter"
	"regexp"
	"sync"

	"github.com/linkmilter/linkmilter/internal/meter"
)

// A File is an encoded file inside a text.
type File struct {
	Name    string
	Content []byte
}

// uuencodeHead matches the line before a file in uuencode, with permissions and name. Programs also
// accept a line without the name. In HTML a tag may precede it.
var uuencodeHead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)(?:^|>)begin(-base64)? +(?:[0-7]{1,8} +(.+?)|[0-7]{3,4} *)\r?$`)
})

// LooksUuencoded reports whether a body has a file in uuencode.
func LooksUuencoded(body []byte) bool { return uuencodeHead().Match(body) }

// Uuencoded iterates over the files in uuencode (POSIX) that a text holds. Many programs show them
// as attachments. It skips lines that break the encoding, and stops when the context of t ends.
func Uuencoded(t *meter.Meter, text []byte) iter.Seq[File] {
	return func(yield func(File) bool) {
		for t.Err() == nil {
			at := uuencodeHead().FindSubmatchIndex(text)
			if at == nil {
				return
			}
			var file File
			if at[4] >= 0 {
				file.Name = string(text[at[4]:at[5]])
			}
			inBase64 := at[2] >= 0
			file.Content, text = cutUuencoded(t, text[at[1]:], inBase64)
			if !yield(file) {
				return
			}
		}
	}
}

// cutUuencoded decodes the lines up to the end of a file.
func cutUuencoded(t *meter.Meter, text []byte, inBase64 bool) (content, rest []byte) {
	for len(text) > 0 {
		line, after := cutLine(text)
		text = after
		if t.Spend(len(line)+1) != nil {
			return nil, nil
		}
		switch {
		case string(line) == "end" || inBase64 && string(line) == "====":
			return content, text
		case inBase64:
			content = append(content, RawBase64(Base64Digits(t, line, false))...)
		default:
			content = append(content, uuencodedLine(line)...)
		}
	}
	return content, nil
}

// uuencodedLine decodes a line: its length, and four characters for three bytes.
func uuencodedLine(line []byte) []byte {
	if len(line) == 0 || line[0] < ' ' || line[0] > '`' {
		return nil
	}
	size := int(line[0]-' ') & 63
	decoded := make([]byte, 0, size+3)
	for digits := line[1:]; len(digits) > 0 && len(decoded) < size; digits = digits[min(4, len(digits)):] {
		var group [4]byte
		for i := range group {
			if i < len(digits) {
				group[i] = (digits[i] - ' ') & 63
			}
		}
		decoded = append(decoded, group[0]<<2|group[1]>>4, group[1]<<4|group[2]>>2, group[2]<<6|group[3])
	}
	return decoded[:min(size, len(decoded))]
}
