package policy

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// A DisplayRule is a rule by which browsers display a host with A-labels although the host may be
// honest. The zero value is not a rule. A Judge sets the others in [Verdict.HiddenBy]; a program
// shows them by String, such as "whole-script" or "popular", and Reason. The chapter "Display in
// Unicode" of docs/findings.md lists all of them.
type DisplayRule uint8

// The rules, in the order in which a Judge applies them.
const (
	displayed DisplayRule = iota

	hiddenProfile
	hiddenIDNA2008
	hiddenQuote
	hiddenRare
	hiddenHyphens
	hiddenDot
	hiddenMark
	hiddenJoiner
	hiddenElsewhere
	hiddenMiddleDot
	hiddenWholeScript
	hiddenDigits
	hiddenLatinMark
	hiddenWords
	hiddenSlash
	hiddenIdeograph
	hiddenKanaMark
	hiddenKanaTwin
	hiddenPopular
)

// displayRules has for each rule its name, its reason as a part of a sentence, and a code. The rule
// does not apply if the operator gives that code a severity below medium.
var displayRules = [...]struct {
	name, text string
	code       Code
}{
	displayed:         {},
	hiddenProfile:     {"profile", "a character outside the scripts and letters in general use (UAX #31 table 5)", CodeRestrictedCharacter},
	hiddenIDNA2008:    {"idna-2008", "a character that IDNA 2008 does not allow", CodeRestrictedCharacter},
	hiddenQuote:       {"quote", "a letter that looks like a quotation mark or stroke", CodeRestrictedCharacter},
	hiddenRare:        {"rare-letter", "a letter of phonetics, transliteration or old spelling", CodeRestrictedCharacter},
	hiddenHyphens:     {"hyphens", "hyphens as third and fourth character", CodeInvalidIDNA},
	hiddenDot:         {"dot", "a dot above a letter that has one", CodeInvisibleCharacter},
	hiddenMark:        {"mark", "a mark of the scripts of Europe on a letter of another script", CodeRestrictedCharacter},
	hiddenJoiner:      {"joiner", "an invisible character that joins or separates letters", CodeInvisibleCharacter},
	hiddenElsewhere:   {"country-letter", "a letter that only one country's domains display", CodeRestrictedCharacter},
	hiddenMiddleDot:   {"middle-dot", "a middle dot that is not between two l below .cat", CodeSyntaxLookalike},
	hiddenWholeScript: {"whole-script", "each letter reads as a Latin letter", CodeWholeScript},
	hiddenDigits:      {"digits", "each character reads as a digit", CodeMixedDigits},
	hiddenLatinMark:   {"latin-beyond-ascii", "Latin letters beyond ASCII with another script", CodeMixedScript},
	hiddenWords:       {"words", "words of scripts that do not go together", CodeMixedScript},
	hiddenSlash:       {"slash", "a character of East Asia that reads as a slash between other letters", CodeSyntaxLookalike},
	hiddenIdeograph:   {"ideograph", "a character of East Asia that reads as a Latin letter or hyphen, beside other letters", CodeSyntaxLookalike},
	hiddenKanaMark:    {"kana-mark", "a mark of kana that does not follow its kana", CodeSyntaxLookalike},
	hiddenKanaTwin:    {"kana-twin", "a kana among those of the other kind, which has one that looks the same", CodeSyntaxLookalike},
	hiddenPopular:     {"popular", "the host looks like a popular site but for marks or letters", CodeLookalike},
}

// String returns the name of the rule, such as "whole-script"; "" for the zero
// value.
func (r DisplayRule) String() string { return displayRules[r].name }

// Reason returns what in the label makes browsers display A-labels, as a part of an English
// sentence; "" for the zero value.
func (r DisplayRule) Reason() string { return displayRules[r].text }

// severityCode returns the code whose severity switches the rule off if it is below
// SeverityMedium; "" for the zero value.
func (r DisplayRule) severityCode() Code { return displayRules[r].code }

// displayRule returns the first rule that hides the host name, which is in U-labels. likesPopular
// says that it looks like a popular site. severities are those that the operator configured.
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

// rareBlocks are ranges of letters that the General Security Profile allows but few names have.
var rareBlocks = [...][2]rune{
	{0x0138, 0x0138}, // kra
	{0x01cd, 0x01dc}, // Pinyin
	{0x1c80, 0x1c8f}, // Cyrillic Extended-C
	{0x1e00, 0x1e9b}, // Latin Extended Additional, but for Vietnamese
	{0x1f00, 0x1fff}, // Greek Extended
	{0xa640, 0xa69f}, // Cyrillic Extended-B
	{0xa720, 0xa7ff}, // Latin Extended-D
}

// countryLetters are letters that most readers take for another Latin letter, with the top-level
// domains whose readers know them.
var countryLetters = map[rune][]string{'þ': {"is", "fo"}, 'ð': {"is", "fo"}, 'ə': {"az"}}

// characterRule returns the rule for the first character of s that browsers display in no label
// below the top-level domain top.
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

// lastOverlay is the last mark that lies over its letter or close to it. Few languages use the marks after it.
const lastOverlay = 0x339

// isEuropean reports whether r is a letter or mark of a European script. It is false for a negative
// r.
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

// readsLatin reports whether each letter of a label of one script reads as a Latin
// letter.
func readsLatin(s string) bool {
	if cyrillicWords.Has(s) {
		return false
	}
	found := false
	for _, r := range s {
		if r < 0x80 {
			continue
		}
		if like, ok := latinLikes[r]; ok && !like.inNames {
			found = true
		} else if script := ucd.ScriptOf(r); script != ucd.ScriptZyyy && script != ucd.ScriptZinh {
			return false
		}
	}
	return found
}

// East Asian characters that readers take for another character beside foreign letters.
const (
	slashIdeographs = "ノンソゾ丶乀乁丿"
	latinIdeographs = "一ㄧ丨乛七丅十〇ㄒㄚㄟㄨㄩㄈㆺㆳ工ㆲ讠丁丶亅二亠冖宀巛丩"
	kanaIteration   = "ヽヾ"
	voicingMarks    = "\u3099\u309a"
	hiraganaTwins   = "へべぺ"
	katakanaTwins   = "ヘベペ"
)

// eastAsianRule returns the rule that hides a label because of its East Asian characters. If the
// label has one writing system (oneScript), only the marks of kana count.
func eastAsianRule(s string, oneScript bool) DisplayRule {
	if strings.IndexFunc(s, func(r rune) bool { return r >= firstKanaLike }) < 0 {
		return displayed
	}
	if strings.ContainsAny(s, voicingMarks) || strayKanaMark(s) {
		return hiddenKanaMark
	}
	if hasTwin(s, hiraganaTwins, ucd.ScriptKana) || hasTwin(s, katakanaTwins, ucd.ScriptHira) {
		return hiddenKanaTwin
	}
	if oneScript {
		return displayed
	}
	for i, r := range s {
		before, after := neighbours(s, i, r)
		switch {
		case strings.ContainsRune(slashIdeographs, r) && before >= 0 && after >= 0 && !isJapanese(before) && !isJapanese(after):
			return hiddenSlash
		case strings.ContainsRune(latinIdeographs, r) && (before >= 0 && !isJapanese(before) || after >= 0 && !isJapanese(after)):
			return hiddenIdeograph
		}
	}
	return displayed
}

// neighbours returns the characters before and after r, which is at i in s, or -1.
func neighbours(s string, i int, r rune) (before, after rune) {
	before, after = -1, -1
	if i > 0 {
		before, _ = utf8.DecodeLastRuneInString(s[:i])
	}
	if rest := s[i+utf8.RuneLen(r):]; rest != "" {
		after, _ = utf8.DecodeRuneInString(rest)
	}
	return before, after
}

// strayKanaMark reports whether a mark of kana is out of place. A prolonged sound mark must follow
// kana, and an iteration mark must follow katakana. A middle dot must not end the label or have a
// foreign neighbour.
func strayKanaMark(s string) bool {
	katakana := ucd.Scripts(ucd.ScriptKana)
	for i, r := range s {
		before, after := neighbours(s, i, r)
		switch {
		case r == 'ー':
			if !isOf(before, katakana.With(ucd.ScriptHira)) {
				return true
			}
		case strings.ContainsRune(kanaIteration, r):
			if !isOf(before, katakana) {
				return true
			}
		case r == '・':
			if before >= 0 && !isJapanese(before) || !isJapanese(after) {
				return true
			}
		}
	}
	return false
}

// hasTwin reports whether s has inside it a kana that looks like one of the other kind, while all
// other characters are of that other kind. twins are such kana, and script is the other kind.
func hasTwin(s, twins string, script ucd.Script) bool {
	found := false
	others := ucd.Scripts(script)
	for i, r := range s {
		before, after := neighbours(s, i, r)
		switch {
		case strings.ContainsRune(twins, r) && before >= 0 && after >= 0:
			found = true
		case !isOf(r, others):
			return false
		}
	}
	return found
}

// isOf reports whether r is a character that one of the scripts uses (UAX #24); it is false for a
// negative r.
func isOf(r rune, scripts ucd.ScriptSet) bool {
	return r >= 0 && !ucd.IdentityOf(r).Extensions().And(scripts).IsEmpty()
}
