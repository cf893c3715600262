package policy

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// displayRule returns the first rule that hides the host, U-labels, which looks like a popular
// site or not. severities are those that the operator configured.
func displayRule(name string, likesPopular bool, severities map[Code]Severity) DisplayRule {
	if ascii.Is(name) {
		return displayed
	}
	hides := func(rule DisplayRule) bool {
		severity, ok := severities[rule.severityCode()]
		return rule != displayed && (!ok || severity >= SeverityMedium)
	}
	top := hostname.LastLabel(name)
	for label := range labelsOf(name) {
		if ascii.Is(label) {
			continue
		}
		if rule := labelDisplayRule(label, top); hides(rule) {
			return rule
		}
	}
	if likesPopular && hides(hiddenPopular) {
		return hiddenPopular
	}
	return displayed
}

// labelDisplayRule returns the rule that hides a label that is not ASCII. top is
// the last label of the host.
func labelDisplayRule(label, top string) DisplayRule {
	s := withoutJoiners(label)
	a := uts39.Analyze(s)
	switch {
	case !a.Allowed:
		return hiddenProfile
	case s != label:
		return hiddenJoiner
	}
	if rule := characterRule(s, top); rule != displayed {
		return rule
	}
	if hyphensInside(s) {
		return hiddenHyphens
	}
	if onlyDigits(s) {
		return hiddenDigits
	}
	oneScript := a.Mixture() == uts39.SingleScriptOnly
	if oneScript && !shownAtHome(a.Scripts, top) && readsLatin(s) {
		return hiddenWholeScript
	}
	if !oneScript && !a.Scripts.Has(ucd.ScriptLatn) && hasLatinBeyondASCII(s) {
		return hiddenLatinMark
	}
	if a.Mixture() >= uts39.ModeratelyRestrictive {
		return hiddenWords
	}
	return eastAsianRule(s, oneScript)
}

// hyphensInside reports whether the third and fourth character of a U-label are
// hyphens (RFC 5891 §4.2.3.1).
func hyphensInside(s string) bool {
	i := 0
	for _, r := range s {
		if i >= 2 && r != '-' {
			return false
		}
		if i == 3 {
			return true
		}
		i++
	}
	return false
}

// quoteLikes has letters that a reader takes for a quotation mark or a stroke
// through the letter before.
const quoteLikes = "ʻʼˬ\u0338"

// rareBlocks has letters within the General Security Profile that few names have:
// first and last of each run.
var rareBlocks = [...][2]rune{
	{0x0138, 0x0138}, // kra
	{0x01cd, 0x01dc}, // Pinyin
	{0x1c80, 0x1c8f}, // Cyrillic Extended-C
	{0x1e00, 0x1e9b}, // Latin Extended Additional, but for Vietnamese
	{0x1f00, 0x1fff}, // Greek Extended
	{0xa640, 0xa69f}, // Cyrillic Extended-B
	{0xa720, 0xa7ff}, // Latin Extended-D
}

// countryLetters has letters that read as another Latin letter, with the top-level
// domains whose readers know them.
var countryLetters = map[rune][]string{'þ': {"is", "fo"}, 'ð': {"is", "fo"}, 'ə': {"az"}}

// characterRule returns the rule that hides the first character that no label of
// the top-level domain may display.
func characterRule(s, top string) DisplayRule {
	before := rune(-1)
	for i, r := range s {
		base := before
		before = r
		if r < 0x80 {
			continue
		}
		switch class := ucd.HostClassOf(r); {
		case firstDiacritic <= r && r <= lastOverlay && !isEuropean(base):
			return hiddenMark
		case r == dotAbove && i > 0 && strings.ContainsRune(dotted, rune(s[i-1])):
			return hiddenDot
		case r == '·':
			if top != "cat" || !strings.HasSuffix(s[:i], "l") || !strings.HasPrefix(s[i+len("·"):], "l") {
				return hiddenMiddleDot
			}
			continue
		case r == '・': // eastAsianRule has its neighbours
			continue
		case class == ucd.HostPunctuation, class == ucd.HostSymbol, r == 0x30a0:
			return hiddenIDNA2008
		case strings.ContainsRune(quoteLikes, r):
			return hiddenQuote
		}
		for _, block := range rareBlocks {
			if block[0] <= r && r <= block[1] {
				return hiddenRare
			}
		}
		if countries, ok := countryLetters[r]; ok && len(s) > len(string(r)) && !slices.Contains(countries, top) {
			return hiddenElsewhere
		}
	}
	return displayed
}

// lastOverlay is the last mark that covers its letter or is near it; the marks behind it
// are those of few languages.
const lastOverlay = 0x339

// isEuropean reports whether r is a letter or mark that scripts of Europe use; a negative r
// is not.
func isEuropean(r rune) bool {
	return r >= 0 && (ucd.IsMark(r) || !ucd.IdentityOf(r).Extensions().And(european).IsEmpty())
}

// hasLatinBeyondASCII reports whether s has Latin letters that are not ASCII.
func hasLatinBeyondASCII(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 && ucd.ScriptOf(r) == ucd.ScriptLatn })
}

// onlyDigits reports whether s has only ASCII digits and characters that read as
// digits, and at least one of the latter.
func onlyDigits(s string) bool {
	like := false
	for _, r := range s {
		switch {
		case '0' <= r && r <= '9':
		case r >= 0x80 && looksLikeDigit(r):
			like = true
		default:
			return false
		}
	}
	return like
}
