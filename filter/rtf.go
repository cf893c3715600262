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
	fallbacks := newRTFFallbacks()
	walkRTF(ctx, source, func(s string) int {
		switch c := s[0]; {
		case c == '{':
			fallbacks.begin()
		case c == '}':
			fallbacks.end()
		case c == '\r' || c == '\n':
		case c == '\\' && len(s) > 1:
			control := controlOfRTF(s, fallbacks.last())
			fallbacks.obey(control)
			b.WriteString(control.text)
			return control.size
		default:
			b.WriteByte(c)
		}
		return 1
	})
	return b.String()
}

// rtfFallbacks knows how many characters follow one in Unicode for programs that do not know it.
type rtfFallbacks struct {
	counts []int // of each open group
	deeper int   // open groups beyond maxRTFGroups
}

// newRTFFallbacks returns the number outside of all groups.
func newRTFFallbacks() rtfFallbacks { return rtfFallbacks{counts: []int{1}} }

// maxRTFGroups is the depth up to which nested groups are told apart.
const maxRTFGroups = 1 << 10

func (f *rtfFallbacks) begin() {
	if len(f.counts) == maxRTFGroups {
		f.deeper++
		return
	}
	f.counts = append(f.counts, f.last())
}

func (f *rtfFallbacks) end() {
	switch last := len(f.counts) - 1; {
	case f.deeper > 0:
		f.deeper--
	case last > 0:
		f.counts = f.counts[:last]
	}
}

func (f *rtfFallbacks) last() int { return f.counts[len(f.counts)-1] }

// obey obeys the control word that sets the number.
func (f *rtfFallbacks) obey(c rtfControl) {
	if n, err := strconv.Atoi(c.number); err == nil && c.word == "uc" {
		f.counts[len(f.counts)-1] = n
	}
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
	text   string // the characters that it stands for
	size   int    // in bytes, with the delimiter
}

// controlOfRTF returns the control at the start of s, which has two bytes or more. Behind a
// character in Unicode there are so many others for programs that do not know it.
func controlOfRTF(s string, fallback int) rtfControl {
	if s[1] == '\'' && len(s) >= len(`\'00`) {
		if c, ok := ascii.HexByte(s[2], s[3]); ok {
			return rtfControl{text: string(rune(c)), size: len(`\'00`)}
		}
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
		end += sizeOfFallback(s[end:], fallback)
	case "bin":
		number, _ := strconv.Atoi(control.number)
		end += min(max(number, 0), len(s)-end)
	case "par", "line", "cell", "tab", "sect", "page", "row":
		control.text = "\n"
	}
	control.size = end
	return control
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
