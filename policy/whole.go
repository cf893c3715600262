package policy

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/engine/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// countryScripts are the scripts, beside Latin, that the readers of a country
// read, by its ASCII top-level domain. Only countries with a script that has
// whole-script confusables in Latin matter.
var countryScripts = map[string]ucd.Script{
	"ae": ucd.ScriptArab, "af": ucd.ScriptArab, "am": ucd.ScriptArmn, "bd": ucd.ScriptBeng, "bg": ucd.ScriptCyrl,
	"bh": ucd.ScriptArab, "by": ucd.ScriptCyrl, "cn": ucd.ScriptHani, "cy": ucd.ScriptGrek, "dz": ucd.ScriptArab,
	"eg": ucd.ScriptArab, "er": ucd.ScriptEthi, "et": ucd.ScriptEthi, "ge": ucd.ScriptGeor, "gr": ucd.ScriptGrek,
	"hk": ucd.ScriptHani, "il": ucd.ScriptHebr, "iq": ucd.ScriptArab, "ir": ucd.ScriptArab, "jo": ucd.ScriptArab,
	"kg": ucd.ScriptCyrl, "kh": ucd.ScriptKhmr, "kw": ucd.ScriptArab, "kz": ucd.ScriptCyrl, "la": ucd.ScriptLaoo,
	"lb": ucd.ScriptArab, "lk": ucd.ScriptSinh, "ly": ucd.ScriptArab, "ma": ucd.ScriptArab, "me": ucd.ScriptCyrl,
	"mk": ucd.ScriptCyrl, "mm": ucd.ScriptMymr, "mn": ucd.ScriptCyrl, "mo": ucd.ScriptHani, "np": ucd.ScriptDeva,
	"om": ucd.ScriptArab, "pk": ucd.ScriptArab, "ps": ucd.ScriptArab, "qa": ucd.ScriptArab, "rs": ucd.ScriptCyrl,
	"ru": ucd.ScriptCyrl, "sa": ucd.ScriptArab, "sd": ucd.ScriptArab, "su": ucd.ScriptCyrl, "sy": ucd.ScriptArab,
	"th": ucd.ScriptThai, "tj": ucd.ScriptCyrl, "tn": ucd.ScriptArab, "tw": ucd.ScriptHani, "ua": ucd.ScriptCyrl,
	"uz": ucd.ScriptCyrl, "ye": ucd.ScriptArab,
}

// atHome reports whether text of these scripts is what the readers of hosts
// below the top-level domain expect: it is written in one of them, or belongs
// to a country that uses one.
func atHome(scripts ucd.ScriptSet, top string) bool {
	if !isASCII(top) {
		return !scripts.And(uts39.Resolved(top)).IsEmpty()
	}
	s, ok := countryScripts[top]
	return ok && scripts.Has(s)
}

// wholeScript reports a label that is of one script other than Latin and
// reads as ASCII throughout (UTS #39 §4.1), unless the top-level domain says
// that readers expect the script. Only ASCII letters and digits count, not the
// letters of phonetics and of few languages that UTS #39 counts as well, and
// none with a mark: nobody reads νέα as the Latin vꞓ́a. Browsers have it so.
func (g *judgement) wholeScript(label, s, top string, a uts39.Analysis) {
	if a.Scripts.IsEmpty() || a.Scripts.Has(ucd.ScriptLatn) || atHome(a.Scripts, top) {
		return
	}
	if reading := readsASCII(s); reading != "" && uts39.WholeScriptConfusables(s).Has(ucd.ScriptLatn) {
		g.addHost(CodeWholeScript, SeverityMedium, label, "all "+scriptNames(s)+", and reads as Latin: "+reading)
	}
}

// readsASCII returns how a label reads in ASCII letters and digits, "" where a
// character of it looks like none.
func readsASCII(s string) string {
	var reading []byte
	for _, r := range norm.NFD.String(s) {
		if r == '-' || isAlphanumeric(r) {
			reading = append(reading, byte(r))
			continue
		}
		like := prototype(r)
		if like == "" || strings.ContainsFunc(like, func(r rune) bool { return !isAlphanumeric(r) }) {
			return ""
		}
		reading = append(reading, like...)
	}
	return string(reading)
}

// digitLikes are letters that look like ASCII digits beside those that
// confusables.txt maps to one: what browsers have learnt.
const digitLikes = "зҙӡვვეჳ੩ടউও丩ㄐ"

// digitLookalikes reports a label of ASCII digits and of letters that look
// like digits, unless the top-level domain is of the letters' script.
func (g *judgement) digitLookalikes(label, s, top string, a uts39.Analysis) {
	digits, like := 0, rune(0)
	for _, r := range s {
		switch {
		case '0' <= r && r <= '9':
			digits++
		case r == '-':
		case r >= 0x80 && looksLikeDigit(r):
			like = r
		default:
			return
		}
	}
	if digits > 0 && like != 0 && !atHome(a.Scripts, top) {
		g.addHost(CodeMixedDigits, SeverityMedium, label, fmt.Sprintf("%U looks like a digit, among digits", like))
	}
}

// looksLikeDigit reports whether the non-ASCII r may be taken for an ASCII
// digit.
func looksLikeDigit(r rune) bool {
	switch prototype(r) {
	case "O", "o", "l", "2", "3", "4", "5", "6", "7", "8", "9":
		return true
	}
	return strings.ContainsRune(digitLikes, r)
}
