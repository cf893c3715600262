package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// decodeTags returns what tag characters spell.
func decodeTags(tags string) string {
	return strings.Map(func(r rune) rune {
		if 0xe0020 <= r && r < 0xe007f {
			return r - 0xe0000
		}
		return -1
	}, tags)
}

// decodeSelectors returns the bytes of variation selectors, and their kind. The same selector many
// times, or one for the form of an emoji, carries no data.
func decodeSelectors(selectors string) (UnseenKind, string) {
	var b []byte
	same, first := true, rune(-1)
	for _, r := range selectors {
		if first < 0 {
			first = r
		}
		same = same && r == first
		switch {
		case 0xfe00 <= r && r <= 0xfe0f:
			b = append(b, byte(r-0xfe00))
		case 0xe0100 <= r && r <= 0xe01ef:
			b = append(b, byte(r-0xe0100+16))
		}
	}
	isEmoji := first == textSelector || first == variationSelector
	if same && isEmoji || len(b) == 1 && first < 0xe0100 {
		return UnseenFiller, ""
	}
	return UnseenSelectors, string(b)
}

// Bounds of what decodeBits takes for data.
const (
	maxSymbols  = 8       // largest number of different characters
	leastBits   = 16      // smallest number of characters
	maxDigits   = 8 << 10 // characters that are decoded
	longestLoop = 16      // tokens in the longest pattern that repeats as padding
)

// decodeBits reports whether pieces of invisible characters carry data, and returns the text that a
// common encoding gives for them, or "". Padding, which repeats the same few characters, carries no
// data.
func decodeBits(text string, pieces []unseenPiece) (decoded string, carries bool) {
	n := 0
	for _, p := range pieces {
		if p.class == markClass {
			return "", false
		}
		n += p.count
	}
	if n < leastBits {
		return "", false
	}
	var digits, tokens []rune // tokens also has a space for white space between them
	end := pieces[0].start
	for _, p := range pieces {
		if between := text[end:p.start]; between != "" && strings.TrimSpace(between) == "" {
			tokens = append(tokens, ' ')
		}
		for _, r := range text[p.start:p.end] {
			digits, tokens = append(digits, r), append(tokens, r)
		}
		if end = p.end; len(digits) > maxDigits {
			break
		}
	}
	symbols := symbolsOf(digits)
	if len(symbols) < 2 || repeats(tokens, 97) {
		return "", false
	}
	if decoded = decodeDigits(digits, symbols); decoded != "" {
		return decoded, true
	}
	return "", len(symbols) <= maxSymbols && !repeats(tokens, 85) && len(digits) >= 2*leastBits
}

// repeats reports whether at least so many percent of the tokens equal the token a fixed, short
// distance before.
func repeats(tokens []rune, percent int) bool {
	for loop := 1; loop <= longestLoop && loop < len(tokens); loop++ {
		same := 0
		for i := loop; i < len(tokens); i++ {
			if tokens[i] == tokens[i-loop] {
				same++
			}
		}
		if same*100 >= percent*(len(tokens)-loop) {
			return true
		}
	}
	return false
}

// symbolsOf returns the different digits in the order of their code points.
func symbolsOf(digits []rune) []rune {
	var symbols []rune
	for _, r := range digits {
		if !slices.Contains(symbols, r) {
			if symbols = append(symbols, r); len(symbols) > maxSymbols {
				break
			}
		}
	}
	slices.Sort(symbols)
	return symbols
}

// decodeDigits returns the text that digits stand for, or "". It tries numbers of seven, eight or
// sixteen bits, with or without a character between two letters, and digits of a greater base.
func decodeDigits(digits, symbols []rune) string {
	if len(symbols) > maxSymbols {
		return ""
	}
	if len(symbols) == 2 {
		return decodeBinary(digits, symbols)
	}
	// One of the characters may separate letters, or end them.
	for _, between := range symbols {
		rest := slices.DeleteFunc(slices.Clone(digits), func(r rune) bool { return r == between })
		if len(symbols) != 3 {
			break
		}
		two := symbolsOf(rest)
		if s := decodeGroups(digits, between, two); s != "" {
			return s
		}
		if len(digits)-len(rest) <= 2 {
			if s := decodeBinary(rest, two); s != "" {
				return s
			}
		}
	}
	for _, limit := range [...]int{1 << 16, 1 << 8, 1 << 7} {
		width, most := 0, 1
		for most < limit {
			width, most = width+1, most*len(symbols)
		}
		if s := decodeFixed(digits, symbols, width); s != "" {
			return s
		}
	}
	return ""
}

// decodeBinary decodes bits. Either character may stand for zero.
func decodeBinary(digits, two []rune) string {
	for range 2 {
		for _, width := range [...]int{8, 16, 7} {
			if s := decodeFixed(digits, two, width); s != "" {
				return s
			}
		}
		two = []rune{two[1], two[0]}
	}
	return ""
}

// decodeGroups decodes bits in which the character between separates letters.
func decodeGroups(digits []rune, between rune, two []rune) string {
	for range 2 {
		var numbers []int
		number, width := 0, 0
		for _, r := range append(slices.Clone(digits), between) {
			switch {
			case r != between:
				if number, width = number<<1|slices.Index(two, r), width+1; width > 21 {
					return ""
				}
			case width > 0:
				numbers = append(numbers, number)
				number, width = 0, 0
			}
		}
		if s := textOfNumbers(numbers); s != "" {
			return s
		}
		two = []rune{two[1], two[0]}
	}
	return ""
}

// decodeFixed decodes numbers that all have width digits.
func decodeFixed(digits, symbols []rune, width int) string {
	var numbers []int
	for i := 0; i+width <= len(digits); i += width {
		number := 0
		for _, r := range digits[i : i+width] {
			number = number*len(symbols) + slices.Index(symbols, r)
		}
		numbers = append(numbers, number)
	}
	return textOfNumbers(numbers)
}

// textOfNumbers returns the text of code points or of bytes in UTF-8, or "" if they are neither.
func textOfNumbers(numbers []int) string {
	if len(numbers) < 2 {
		return ""
	}
	var points, bytes []byte
	for _, n := range numbers {
		points, bytes = utf8.AppendRune(points, rune(n)), append(bytes, byte(n))
	}
	if slices.Max(numbers) <= 0xff && utf8.Valid(bytes) && isWritten(string(bytes)) {
		return string(bytes)
	}
	if isWritten(string(points)) {
		return string(points)
	}
	return ""
}

// isWritten reports whether people may have written a text: nearly all characters are letters and
// punctuation of European languages, and not all are the same.
func isWritten(s string) bool {
	n, strange := 0, 0
	different := make(map[rune]bool)
	for _, r := range s {
		n++
		if r >= 0x0600 || !unicode.IsPrint(r) && r != '\n' && r != '\t' && r != '\r' {
			strange++
		}
		different[r] = true
	}
	return strange*10 <= n && len(different) > min(2, n-1)
}
