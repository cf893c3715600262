package honestmail

import (
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A filler fills in the names in braces of a service's texts. It gives a message the same
// random text in every run.
type filler struct {
	random *rand.Rand
	known  map[string]string
	date   time.Time
}

// newFiller returns a filler for the message of a name.
func newFiller(name string, date time.Time, known map[string]string) *filler {
	h := fnv.New64a()
	h.Write([]byte(name))
	return &filler{random: rand.New(rand.NewPCG(h.Sum64(), 28)), known: known, date: date}
}

var (
	braces = regexp.MustCompile(`\{([a-z]+)([0-9.]*)(:[a-z]+)?\}`)
	// Only the dates of Amazon SES have dots.
	dates = map[string]string{"8": "20060102", "12": "200601021504", "14": "20060102150405", ".": "2006.01.02"}
)

const (
	digits   = "0123456789"
	hexadec  = "0123456789abcdef"
	small    = "abcdefghijklmnopqrstuvwxyz"
	alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" + small + digits
)

// fill returns the text with all names in braces filled in.
func (f *filler) fill(text string) string {
	return braces.ReplaceAllStringFunc(text, func(match string) string {
		if known, ok := f.known[match]; ok {
			return known
		}
		parts := braces.FindStringSubmatch(match)
		value := f.value(parts[1], parts[2])
		if parts[3] != "" {
			f.known[match] = value
		}
		return value
	})
}

// value returns random text of a kind and length, or the date.
func (f *filler) value(kind, length string) string {
	n, _ := strconv.Atoi(length)
	switch kind {
	case "hex":
		return f.letters(hexadec, n)
	case "dec":
		return f.letters(digits[1:], 1) + f.letters(digits, n-1)
	case "alpha":
		return f.letters(small, n)
	case "b":
		if n == 64 {
			n = 43
		}
		return f.letters(alphabet, n)
	case "oct":
		return strconv.Itoa(1 + f.random.IntN(250))
	case "uuid":
		return strings.Join([]string{f.letters(hexadec, 8), f.letters(hexadec, 4), "4" + f.letters(hexadec, 3), "a" + f.letters(hexadec, 3), f.letters(hexadec, 12)}, "-")
	case "date":
		return f.date.Format(dates[length])
	default:
		return ""
	}
}

// letters returns n random letters of a set.
func (f *filler) letters(set string, n int) string {
	b := make([]byte, max(n, 0))
	for i := range b {
		b[i] = set[f.random.IntN(len(set))]
	}
	return string(b)
}
