package engine

import (
	"bufio"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/test/env"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// An idnaCase is a line of IdnaTestV2.txt, without its columns for transitional processing.
type idnaCase struct {
	line      int
	source    string
	toUnicode string
	toASCII   string
	ascii     []string // status codes of toAsciiN
}

// idnaCases reads IdnaTestV2.txt.
func idnaCases(t *testing.T) []idnaCase {
	t.Helper()
	f, err := os.Open(env.UCDOf(t, ucd.IDNAVersion, "idna/IdnaTestV2.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []idnaCase
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		text, _, _ := strings.Cut(sc.Text(), "#")
		if strings.TrimSpace(text) == "" {
			continue
		}
		col := strings.Split(text, ";")
		// An empty column repeats the one that its meaning derives from.
		inherit := func(column, from string) string {
			if column = strings.TrimSpace(column); column == "" {
				return from
			}
			if column == `""` {
				return ""
			}
			return unescapeIDNA(t, column)
		}
		c := idnaCase{line: n, source: inherit(col[0], "")}
		c.toUnicode = inherit(col[1], c.source)
		c.toASCII = inherit(col[3], c.toUnicode)
		c.ascii = statusCodes(inherit(col[4], col[2]))
		cases = append(cases, c)
	}
	if len(cases) < 6000 {
		t.Fatalf("only %d lines in IdnaTestV2.txt", len(cases))
	}
	return cases
}

// unescapeIDNA undoes \uXXXX and \x{XXXX}. The file has surrogates to test UTF-16; they become a
// byte that is not UTF-8.
func unescapeIDNA(t *testing.T, s string) string {
	t.Helper()
	var b strings.Builder
	for s != "" {
		hex, size := "", 0
		switch {
		case strings.HasPrefix(s, `\u`):
			hex, size = s[2:6], 6
		case strings.HasPrefix(s, `\x{`):
			end := strings.IndexByte(s, '}')
			hex, size = s[3:end], end+1
		default:
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		n, err := strconv.ParseUint(hex, 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		if r := rune(n); utf8.ValidRune(r) {
			b.WriteRune(r)
		} else {
			b.WriteByte(0xff)
		}
		s = s[size:]
	}
	return b.String()
}

// statusCodes reads a status column such as [B5, V6].
func statusCodes(s string) []string {
	s = strings.Trim(strings.TrimSpace(s), "[]")
	if s == "" {
		return nil
	}
	return strings.Split(s, ", ")
}

// TestIDNATestV2 compares ToASCII (non-transitional) and ToUnicode with every line of
// IdnaTestV2.txt. The file assumes all flags of UTS #46; the host parser of the WHATWG URL standard
// does not set all. The test names the cause of each difference.
func TestIDNATestV2(t *testing.T) {
	needTables(t)
	counts := map[string]int{}
	for _, c := range idnaCases(t) {
		// CheckHyphens and UseSTD3ASCIIRules are off in browsers.
		status := slices.DeleteFunc(c.ascii, func(code string) bool {
			return code == "V2" || code == "V3" || code == "U1"
		})
		ascii, err := hostToASCII(c.source)
		switch {
		case err != nil && len(status) > 0:
			counts["refused as in the file"]++
		case err != nil && strings.ContainsFunc(c.toASCII, isForbidden):
			counts["refused: forbidden domain code point"]++
		case err != nil:
			t.Errorf("line %d: %+q: %v", c.line, c.source, err)
		case ascii != c.toASCII:
			t.Errorf("line %d: ToASCII(%+q) = %q, want %q", c.line, c.source, ascii, c.toASCII)
		case hostToUnicode(ascii) != c.toUnicode:
			t.Errorf("line %d: ToUnicode(%+q) = %+q, want %+q", c.line, c.source, hostToUnicode(ascii), c.toUnicode)
		case len(status) == 0:
			counts["accepted as in the file"]++
		case strings.HasSuffix(ascii, "."):
			counts["accepted: the root after a final dot"]++
		case isTooLongForDNS(ascii):
			counts["accepted: VerifyDnsLength is off"]++
		default:
			t.Errorf("line %d: %+q accepted as %q in spite of %s", c.line, c.source, ascii, c.ascii)
		}
	}
	t.Log(counts)
	if counts["accepted as in the file"] < 600 || counts["refused as in the file"] < 5000 {
		t.Errorf("too little of the file was compared: %v", counts)
	}
}

// isTooLongForDNS reports names with a label over 63 bytes or over 253 in all.
func isTooLongForDNS(ascii string) bool {
	for label := range strings.SplitSeq(ascii, ".") {
		if len(label) > 63 {
			return true
		}
	}
	return len(ascii) > 253
}
