package filter

import (
	"context"
	"strconv"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// plainOfRTF returns the characters of a text in RTF: without control words and groups,
// and with the escapes of characters decoded. The targets of links are among them. It ends
// with ctx, which the scan of the text reports.
func plainOfRTF(ctx context.Context, source string) string {
	var b strings.Builder
	b.Grow(len(source))
	for pos, next := 0, 0; pos < len(source); {
		if pos >= next {
			if next = pos + scanStep; ctx.Err() != nil {
				break
			}
		}
		switch c := source[pos]; {
		case c == '{' || c == '}' || c == '\r' || c == '\n':
			pos++
		case c == '\\' && pos+1 < len(source):
			pos += controlOfRTF(&b, source[pos:])
		default:
			b.WriteByte(c)
			pos++
		}
	}
	return b.String()
}

// controlOfRTF writes the character that a control of RTF stands for, if any, and returns
// the length of the control with its delimiter.
func controlOfRTF(b *strings.Builder, s string) int {
	if s[1] == '\'' && len(s) >= len(`\'00`) {
		if c, ok := ascii.HexByte(s[2], s[3]); ok {
			b.WriteRune(rune(c))
			return len(`\'00`)
		}
	}
	end := 1
	for end < len(s) && ascii.IsLetter(s[end]) {
		end++
	}
	if end == 1 {
		if strings.IndexByte(`\{}`, s[1]) >= 0 {
			b.WriteByte(s[1])
		}
		return len(`\~`)
	}
	word, start := s[1:end], end
	for end < len(s) && end < start+maxRTFNumber && (ascii.IsDigit(s[end]) || s[end] == '-' && end == start) {
		end++
	}
	number, _ := strconv.Atoi(s[start:end])
	if end < len(s) && s[end] == ' ' {
		end++
	}
	switch word {
	case "u": // a character, and one in ASCII for programs that do not know it
		b.WriteRune(rune(uint16(number)))
		if end < len(s) && strings.IndexByte(`\{}`, s[end]) < 0 {
			end++
		} else if strings.HasPrefix(s[end:], `\'`) && end+len(`\'00`) <= len(s) {
			end += len(`\'00`)
		}
	case "par", "line", "cell", "tab", "sect", "page", "row":
		b.WriteByte('\n')
	}
	return end
}

// maxRTFNumber is the number of digits of the longest number after a control word.
const maxRTFNumber = 11
