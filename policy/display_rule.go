package policy

// A DisplayRule is a rule by which browsers display a host with A-labels although
// the host may be honest. The zero value is not a rule.
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

// displayRules has the name of each rule, a sentence, and a code. The rule does not
// apply if the operator gives the code a severity below medium.
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

// Reason returns what the label has that hides it, for a sentence in English; ""
// for the zero value.
func (r DisplayRule) Reason() string { return displayRules[r].text }

// severityCode returns the code whose severity switches the rule off if it is below
// SeverityMedium; "" for the zero value.
func (r DisplayRule) severityCode() Code { return displayRules[r].code }
