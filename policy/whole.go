package policy

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// atHome reports whether readers of hosts below the top-level domain expect one
// of these scripts: the domain is written in it, or its country uses it.
func atHome(scripts ucd.ScriptSet, top string) bool {
	if !ascii.Is(top) {
		return !scripts.And(uts39.Analyze(top).Scripts).IsEmpty()
	}
	s, ok := countryScripts[top]
	return ok && scripts.Has(s.script)
}

// shownAtHome is atHome, but only for countries whose script browsers know.
func shownAtHome(scripts ucd.ScriptSet, top string) bool {
	return atHome(scripts, top) && !countryScripts[top].unknown
}

// nationalLetters are those letters of Russian, Bulgarian, Ukrainian and Serbian that read as
// Latin. Words of these alone may be honest: "сара".
const nationalLetters = "авгекмнорстухіј-0123456789"

// wholeScript reports a label of one script, not Latin, that reads as ASCII throughout (UTS #39
// §4.1). It excuses a label if readers expect the script below the top-level domain top. The label
// without joiners is s, and a is its analysis.
//
// UTS #39 also counts letters of phonetics and of few languages, and letters with marks. It
// counts Arabic, whose letters look like Latin ones only where they do not join. Like browsers,
// this rule does not: νέα does not read as vꞓ́a, nor ههه as ooo.
func wholeScript(label, s, top string, a uts39.Analysis) Finding {
	if a.Scripts.IsEmpty() || a.Scripts.Has(ucd.ScriptLatn) || a.Scripts.Has(ucd.ScriptArab) || atHome(a.Scripts, top) {
		return Finding{}
	}
	reading := readsASCII(s)
	isLimited := isOfLimitedUse(s) // its letters may only look like upper case, which no host has
	if reading == "" || !isLimited && !uts39.WholeScriptConfusables(s).Has(ucd.ScriptLatn) {
		return Finding{}
	}
	if !isLimited && !readsLatin(s) || strings.Trim(s, nationalLetters) == "" {
		return wordReadingAsLatin.finding(label, scriptNames(s), reading)
	}
	return readsAsLatin.finding(label, scriptNames(s), reading)
}

// isOfLimitedUse reports whether a label has letters of an alphabet that few people read. All others
// read those that look like Latin ones as Latin.
func isOfLimitedUse(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return ucd.IdentityOf(r).Types()&ucd.LimitedUse != 0 })
}

// readsASCII returns the ASCII letters, digits and hyphens that the label looks
// like; "" if a character does not look like one.
func readsASCII(s string) string {
	var reading []byte
	for _, r := range norm.NFD.String(s) {
		if r == '-' || ascii.IsAlphanumeric(r) {
			reading = append(reading, byte(r))
			continue
		}
		like := prototype(r)
		if r == dotlessYi {
			like = ""
		}
		if like == "" || strings.ContainsFunc(like, func(r rune) bool { return !ascii.IsAlphanumeric(r) }) {
			return ""
		}
		reading = append(reading, like...)
	}
	return string(reading)
}

// dotlessYi looks like a j without its dot, which no Latin word has. confusables.txt compares it
// with j, and so հայ ("Armenian") would be a finding.
const dotlessYi = 'յ'

// digitLikes has letters that look like ASCII digits, as browsers know them and
// confusables.txt does not.
const digitLikes = "зҙӡვვჳ੩ടও丩ㄐθ২੨૨೩೭շउਤ૩౩ဒპੜკ੫ճ৪੪୫૭୨౨"

// digitLookalike reports a label of ASCII digits and of letters that look like digits. It excuses a
// label if readers expect the script of the letters below the top-level domain top. The label
// without joiners is s, and a is its analysis.
func digitLookalike(label, s, top string, a uts39.Analysis) Finding {
	digits, like := 0, rune(0)
	for _, r := range s {
		switch {
		case '0' <= r && r <= '9':
			digits++
		case r == '-':
		case r >= 0x80 && looksLikeDigit(r):
			like = r
		default:
			return Finding{}
		}
	}
	if digits > 0 && like != 0 && !atHome(a.Scripts, top) {
		return letterAmongDigits.finding(label, like, digitLike(like))
	}
	return Finding{}
}

// digitLike says which digit a letter looks like, for the detail of a finding.
func digitLike(r rune) string {
	if p := prototype(r); len(p) == 1 {
		switch c := p[0]; {
		case c == 'O' || c == 'o':
			return "the digit 0"
		case c == 'l':
			return "the digit 1"
		case ascii.IsDigit(c):
			return "the digit " + p
		}
	}
	return "a digit"
}

// digitUnlikes are letters that confusables.txt compares with digits. Readers tell them apart, and
// browsers do not know them: "1б" is the name of a class in a school.
const digitUnlikes = "бეσ"

// looksLikeDigit reports whether r, which is not ASCII, looks like an ASCII
// digit.
func looksLikeDigit(r rune) bool {
	if strings.ContainsRune(digitUnlikes, r) || unicode.IsLetter(r) && ucd.ScriptOf(r) == ucd.ScriptArab {
		return false
	}
	switch prototype(r) {
	case "O", "o", "l", "2", "3", "4", "5", "6", "7", "8", "9":
		return true
	}
	return strings.ContainsRune(digitLikes, r)
}
