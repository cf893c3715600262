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
func plainOfRTF(ctx context.Context, source string, noFonts bool) string {
	var b strings.Builder
	b.Grow(len(source))
	state := newRTFState(noFonts)
	walkRTF(ctx, source, func(s string) int {
		switch c := s[0]; {
		case c == '{':
			state.begin()
		case c == '}':
			state.end()
		case c == '\r' || c == '\n':
		case c == '\\' && len(s) > 1:
			control := controlOfRTF(s, &state)
			state.obey(control.word, control.number)
			b.WriteString(control.text)
			return control.size
		default:
			b.WriteByte(c)
		}
		return 1
	})
	return b.String()
}

// walkRTF calls read, which returns how many bytes it read, with the rest of a source up to
// its end or that of ctx.
func walkRTF(ctx context.Context, source string, read func(rest string) int) {
	for pos, next := 0, 0; pos < len(source); pos += read(source[pos:]) {
		if pos >= next {
			if next = pos + scanStep; ctx.Err() != nil {
				return
			}
		}
	}
}

// rtfControl is a control word or symbol of RTF.
type rtfControl struct {
	word   string // "" for a symbol
	number string // behind the word
	text   string // its characters
	size   int    // in bytes, with the delimiter
}

// controlOfRTF returns the control at the start of s, which has two bytes or more. Escaped bytes
// one behind the other are one control.
func controlOfRTF(s string, state *rtfState) rtfControl {
	if escaped, size := escapedInRTF(s); len(escaped) > 0 {
		text, more := state.decode(escaped, s[size:])
		return rtfControl{text: text, size: size + more}
	}
	end := 1
	for end < len(s) && ascii.IsLetter(s[end]) {
		end++
	}
	if end == 1 {
		symbol := rtfControl{size: len(`\~`)}
		if strings.IndexByte(`\{}`, s[1]) >= 0 {
			symbol.text = s[1:2]
		}
		return symbol
	}
	control, start := rtfControl{word: s[1:end]}, end
	for end < len(s) && end < start+maxRTFNumber && (ascii.IsDigit(s[end]) || s[end] == '-' && end == start) {
		end++
	}
	control.number = s[start:end]
	if end < len(s) && s[end] == ' ' {
		end++
	}
	switch control.word {
	case "u":
		number, _ := strconv.Atoi(control.number)
		control.text = string(rune(uint16(number)))
		end += sizeOfFallback(s[end:], state.last().fallback)
	case "bin":
		number, _ := strconv.Atoi(control.number)
		end += min(max(number, 0), len(s)-end)
	case "par", "line", "cell", "tab", "sect", "page", "row":
		control.text = "\n"
	}
	control.size = end
	return control
}

// maxRTFEscapes is the number of escaped bytes that are decoded at once. It is even, as most
// characters of several bytes have two.
const maxRTFEscapes = 1 << 10

// escapedInRTF returns the bytes that s begins with as escapes, and their size with the line breaks
// between them.
func escapedInRTF(s string) (escaped []byte, size int) {
	const one = len(`\'00`)
	for rest := s; len(rest) >= one && rest[0] == '\\' && rest[1] == '\'' && len(escaped) < maxRTFEscapes; {
		c, ok := ascii.HexByte(rest[2], rest[3])
		if !ok {
			break
		}
		escaped, rest = append(escaped, c), rest[one:]
		size = len(s) - len(rest)
		rest = strings.TrimLeft(rest, lineBreaks)
	}
	return escaped, size
}

// sizeOfFallback returns the length of the first characters of s, at most n.
func sizeOfFallback(s string, n int) int {
	end := 0
	for ; n > 0 && end < len(s); n-- {
		switch {
		case strings.HasPrefix(s[end:], `\'`) && end+len(`\'00`) <= len(s):
			end += len(`\'00`)
		case strings.IndexByte(`\{}`, s[end]) >= 0:
			return end
		default:
			end++
		}
	}
	return end
}

// maxRTFNumber is the number of digits of the longest number after a control word.
const maxRTFNumber = 11
