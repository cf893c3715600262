package policy

import (
	"fmt"
	"iter"
	"slices"
)

// A Code names a kind of finding. Codes do not change: configurations, logs and
// header fields have them.
type Code string

// The codes of findings about a host.
const (
	CodeMixedScript         Code = "mixed-script"            // scripts in one label that do not go together
	CodeWholeScript         Code = "whole-script-confusable" // a label of another script that reads as Latin
	CodeLookalike           Code = "lookalike"               // looks like a protected domain
	CodeRestrictedCharacter Code = "restricted-character"    // a character outside the General Security Profile (UTS #39 §3.1)
	CodeMixedDigits         Code = "mixed-digits"            // digits of several systems, or digits and letters that look like digits
	CodeInvisibleCharacter  Code = "invisible-character"     // a character that a reader cannot see
	CodeSyntaxLookalike     Code = "syntax-lookalike"        // a character that looks like the syntax of a URL
	CodeInvalidIDNA         Code = "invalid-idna"            // a host that UTS #46 refuses
	CodeUnknownTLD          Code = "unknown-tld"             // a top-level domain that does not exist
	CodeInvalidTLD          Code = "invalid-tld"             // a top-level domain that cannot exist
	CodeIPHost              Code = "ip-host"                 // an IP address in place of a name
	CodeObfuscatedIP        Code = "obfuscated-ip"           // an IPv4 address in an unusual spelling
	CodeTooLong             Code = "too-long"                // a host that is too long for the DNS, or a link that is too long to read
	CodeBlocked             Code = "blocked"                 // a host that the operator blocks
	CodeShortener           Code = "shortener"               // a service that shortens URLs
	CodeBidiOrder           Code = "bidi-order"              // a host that a reader sees in a misleading order
)

// The codes of findings about the rest of a link. Findings there can also have
// CodeInvisibleCharacter, CodeSyntaxLookalike and CodeLookalike.
const (
	CodeUserinfo        Code = "userinfo"          // a user name or password before the host
	CodeBidiControl     Code = "bidi-control"      // a character that changes the direction of text
	CodeMixedScriptPath Code = "mixed-script-path" // a word of mixed scripts
	CodeOverEscaped     Code = "over-escaped"      // percent-escapes of characters that need none
	CodeDoubleEscaped   Code = "double-escaped"    // an escaped percent-escape
	CodeInvalidEscape   Code = "invalid-escape"    // a broken percent-escape, or one that hides a character
)

// The codes of findings about an address and its display name.
const (
	CodeEmailProfile Code = "email-profile" // outside the Email Security Profile (UTS #39 §3.3)
	CodeDisplayName  Code = "display-name"  // a name that says another sender than the address
)

// CodeTextTargetMismatch is the code of findings of [Judge.TextTarget],
// [Judge.LabelTarget] and [Judge.TextScheme] only.
const CodeTextTargetMismatch Code = "text-target-mismatch" // a text that names another domain than its link opens

// A Severity says how bad a finding is. A greater value is worse.
type Severity uint8

// The severities, in ascending order. A program should not link a host with a
// finding of SeverityMedium or above, nor display it in Unicode.
const (
	SeverityNone   Severity = iota // no finding
	SeverityInfo                   // helps a reader who looks closely
	SeverityLow                    // unusual, and mostly harmless
	SeverityMedium                 // deceptive, or not safe to display
	SeverityHigh                   // very likely made to deceive
)

// severityNames has the name of each severity.
var severityNames = [...]string{"none", "info", "low", "medium", "high"}

// String returns the name of the severity: "none", "info", "low", "medium" or
// "high".
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return fmt.Sprintf("severity %d", uint8(s))
}

// MarshalText returns the name of the severity. The error is always nil.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText sets the severity by its name, which is in lower case. The error
// for another name lists the names.
func (s *Severity) UnmarshalText(text []byte) error {
	i := slices.Index(severityNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown severity %q: none, info, low, medium or high", text)
	}
	*s = Severity(i)
	return nil
}

// A variant is one situation in which a Judge reports a code. Rules name the
// variant; the table has the rest.
type variant uint8

// The variants, in the order of the table.
const (
	nothing variant = iota // no finding

	clashingScripts
	latinWithScript

	readsAsLatin

	likeDomain
	likeAsTyped
	likeShortName
	partLikeDomain
	nearDomain
	shortName
	partNearDomain
	likePopular
	typingError
	movedHyphen
	otherSuffix
	addedWord
	beforeDomain
	partBeforeDomain
	withoutDot
	wwwWithoutDot
	partWithoutDot
	besideLure
	wordInPath
	shortTypingError
	shortAddedWord

	restrictedLetter
	markOnDotless
	strayMark
	rareLetter

	digitSystems
	letterAmongDigits

	invisibleInHost
	markTwice
	dotOnDot
	invisibleInPath
	uselessJoiner

	likeSyntax
	kanaLikeSyntax
	readsAsDomain
	slashInPath

	emptyLabel
	invalidCharacter
	invalidHyphen
	refusedByIDNA
	underscore
	refusedByBrowsers

	noSuchTLD

	impossibleTLD

	addressAsHost

	unusualAddress

	longHost
	longLink

	domainBeforeRightToLeft
	pathAmongLabels

	blockedHost

	shortenedURL

	hostAsUser
	backslashBeforeAt
	anyUser
	emptyUser
	anonymousUser
	sameHostAsUser

	controlInHost
	overrideInPath
	overrideInText
	embeddingInPath
	markInPath

	wordReadsAsLatin
	wordOfScripts

	escapedHost
	escapedASCII

	escapedEscape

	overlongEscape
	escapedNUL
	strayPercent

	scriptsInLocalPart
	digitsInLocalPart
	restrictedInLocalPart
	controlInName
	marksInName
	variantInLocalPart
	rareInLocalPart
	quotedLocalPart
	variantInName

	protectedAsName
	protectedInName
	brandInName
	otherAsName
	sameAsName
	shortBrandInName
	domainAsName
	addressInName

	brandURL
	brandAddress
	otherURL
	otherAddress
	brandMentioned
	sameName
	nameAlone
	addressMentioned
	clickCounter
	labelOnly
	passedOn
)

// A row of the table of findings has what is the same for all findings of a
// variant.
type row struct {
	code     Code
	name     string // of the variant, unique for the code
	severity Severity
	text     string // the detail: a sentence with verbs of package fmt for the facts
}

// table has a row for each variant. The rows of a code are together, the worst
// first; the codes have the order of the documentation.
var table = [...]row{
	clashingScripts: {CodeMixedScript, "clashing", SeverityHigh, "scripts that do not go together: %s"},
	latinWithScript: {CodeMixedScript, "latin", SeverityMedium, "Latin with another script: %s"},

	readsAsLatin: {CodeWholeScript, "label", SeverityMedium, "all %s, and reads as Latin: %s"},

	likeDomain:       {CodeLookalike, "alike", SeverityHigh, "looks like %s"},
	likeAsTyped:      {CodeLookalike, "as-typed", SeverityHigh, "as typed looks like %s"},
	likeShortName:    {CodeLookalike, "short-alike", SeverityHigh, "begins like %s, and is below another domain"},
	partLikeDomain:   {CodeLookalike, "part-alike", SeverityHigh, "a part looks like %s"},
	nearDomain:       {CodeLookalike, "near", SeverityMedium, "looks like %s"},
	shortName:        {CodeLookalike, "short-before", SeverityMedium, "begins like %s, and is below another domain"},
	partNearDomain:   {CodeLookalike, "part-near", SeverityMedium, "a part looks like %s"},
	likePopular:      {CodeLookalike, "popular", SeverityMedium, "looks like the popular site %s"},
	typingError:      {CodeLookalike, "typing-error", SeverityMedium, "the name of %s with a typing error"},
	movedHyphen:      {CodeLookalike, "hyphen", SeverityMedium, "the name of your %s with other hyphens"},
	otherSuffix:      {CodeLookalike, "other-suffix", SeverityMedium, "the name of your %s below another suffix"},
	addedWord:        {CodeLookalike, "added-word", SeverityMedium, "the name of %s with a word that phishing adds"},
	beforeDomain:     {CodeLookalike, "before", SeverityMedium, "begins like a domain of %s, and is below another domain"},
	partBeforeDomain: {CodeLookalike, "part-before", SeverityMedium, "a part begins like a domain of %s, and is below another domain"},
	withoutDot:       {CodeLookalike, "without-dot", SeverityMedium, "looks like %s without the dot"},
	wwwWithoutDot:    {CodeLookalike, "www-without-dot", SeverityMedium, "looks like www.%s without the dot"},
	partWithoutDot:   {CodeLookalike, "part-without-dot", SeverityMedium, "a part looks like %s without the dot"},
	besideLure:       {CodeLookalike, "beside-lure", SeverityMedium, "the name of %s beside a word that phishing uses"},
	wordInPath:       {CodeLookalike, "word", SeverityMedium, "reads as the name of %s"},
	shortTypingError: {CodeLookalike, "short-typing-error", SeverityLow, "the name of %s with a typing error"},
	shortAddedWord:   {CodeLookalike, "short-added-word", SeverityLow, "the name of %s with a word that phishing adds"},

	restrictedLetter: {CodeRestrictedCharacter, "restricted", SeverityMedium, "%U is %s"},
	markOnDotless:    {CodeRestrictedCharacter, "dotless", SeverityMedium, "%U on a dotless letter"},
	strayMark:        {CodeRestrictedCharacter, "mark", SeverityMedium, "%U on a letter that takes no such mark"},
	rareLetter:       {CodeRestrictedCharacter, "rare", SeverityLow, "%U is %s"},

	digitSystems:      {CodeMixedDigits, "systems", SeverityMedium, "decimal digits of more than one number system"},
	letterAmongDigits: {CodeMixedDigits, "letter", SeverityMedium, "%U looks like a digit, among digits"},

	invisibleInHost: {CodeInvisibleCharacter, "host", SeverityMedium, "%U in a host"},
	markTwice:       {CodeInvisibleCharacter, "mark-twice", SeverityMedium, "%U twice on one letter"},
	dotOnDot:        {CodeInvisibleCharacter, "dot", SeverityMedium, "%U on %c"},
	invisibleInPath: {CodeInvisibleCharacter, "path", SeverityLow, "%U cannot be seen"},
	uselessJoiner:   {CodeInvisibleCharacter, "joiner", SeverityLow, "%U where it changes nothing"},

	likeSyntax:     {CodeSyntaxLookalike, "host", SeverityHigh, "%U looks like %q"},
	kanaLikeSyntax: {CodeSyntaxLookalike, "kana", SeverityMedium, "%U, out of place, looks like %q"},
	readsAsDomain:  {CodeSyntaxLookalike, "domain-label", SeverityMedium, "%U makes a label left of the domain read as a domain name"},
	slashInPath:    {CodeSyntaxLookalike, "path", SeverityLow, "%U looks like a slash"},

	emptyLabel:        {CodeInvalidIDNA, "empty-label", SeverityMedium, "the host has an empty label"},
	invalidCharacter:  {CodeInvalidIDNA, "character", SeverityMedium, "the host has a character that no host may have"},
	invalidHyphen:     {CodeInvalidIDNA, "hyphen", SeverityMedium, "a label has a hyphen where none may be"},
	refusedByIDNA:     {CodeInvalidIDNA, "refused", SeverityMedium, "UTS #46 refuses the host"},
	underscore:        {CodeInvalidIDNA, "underscore", SeverityLow, "the host has an underscore"},
	refusedByBrowsers: {CodeInvalidIDNA, "href", SeverityLow, "browsers refuse the host"},

	noSuchTLD: {CodeUnknownTLD, "host", SeverityLow, "no such top-level domain"},

	impossibleTLD: {CodeInvalidTLD, "host", SeverityLow, "no top-level domain can be one letter or a number"},

	addressAsHost: {CodeIPHost, "host", SeverityLow, "an IP address in place of a name"},

	unusualAddress: {CodeObfuscatedIP, "host", SeverityHigh, "an IPv4 address in an unusual spelling: %s"},

	longHost: {CodeTooLong, "host", SeverityLow, "the host is too long for the DNS"},
	longLink: {CodeTooLong, "link", SeverityLow, "the link is too long to be read to its end"},

	domainBeforeRightToLeft: {CodeBidiOrder, "domain", SeverityMedium, "a domain comes before the right-to-left labels that it is below"},
	pathAmongLabels:         {CodeBidiOrder, "path", SeverityInfo, "the path is displayed among the labels of the host"},

	blockedHost: {CodeBlocked, "host", SeverityHigh, "the configuration blocks the host"},

	shortenedURL: {CodeShortener, "host", SeverityInfo, "a service that shortens URLs: the link does not show what it opens"},

	hostAsUser:        {CodeUserinfo, "host", SeverityHigh, "a user name that reads as a host, before the host"},
	backslashBeforeAt: {CodeUserinfo, "backslash", SeverityHigh, "a backslash before the @: programs differ about the host"},
	anyUser:           {CodeUserinfo, "name", SeverityMedium, "a user name before the host"},
	emptyUser:         {CodeUserinfo, "empty", SeverityMedium, "an empty user name before the host"},
	anonymousUser:     {CodeUserinfo, "anonymous", SeverityLow, "a user name before the host"},
	sameHostAsUser:    {CodeUserinfo, "same-domain", SeverityLow, "a user name that reads as the host, before the host"},

	controlInHost:   {CodeBidiControl, "host", SeverityHigh, "%U in a host"},
	overrideInPath:  {CodeBidiControl, "override", SeverityHigh, "%U changes the direction of text"},
	overrideInText:  {CodeBidiControl, "text", SeverityHigh, "%U turns the text that is shown"},
	embeddingInPath: {CodeBidiControl, "embedding", SeverityMedium, "%U changes the direction of text"},
	markInPath:      {CodeBidiControl, "mark", SeverityLow, "%U changes the direction of text"},

	wordReadsAsLatin: {CodeMixedScriptPath, "latin", SeverityLow, "reads as Latin, but is of %s"},
	wordOfScripts:    {CodeMixedScriptPath, "other", SeverityInfo, "scripts in one word: %s"},

	escapedHost:  {CodeOverEscaped, "host", SeverityMedium, "the host is percent-escaped"},
	escapedASCII: {CodeOverEscaped, "path", SeverityLow, "letters or digits of ASCII are escaped"},

	escapedEscape: {CodeDoubleEscaped, "path", SeverityInfo, "an escape is escaped once more"},

	overlongEscape: {CodeInvalidEscape, "overlong", SeverityMedium, "an overlong UTF-8 form"},
	escapedNUL:     {CodeInvalidEscape, "nul", SeverityMedium, "an escaped NUL"},
	strayPercent:   {CodeInvalidEscape, "percent", SeverityLow, "a percent sign without two hexadecimal digits"},

	scriptsInLocalPart:    {CodeEmailProfile, "scripts", SeverityMedium, "the part before the @ mixes scripts in one word: %s"},
	digitsInLocalPart:     {CodeEmailProfile, "digits", SeverityMedium, "the part before the @ has digits of several number systems"},
	restrictedInLocalPart: {CodeEmailProfile, "restricted", SeverityMedium, "the part before the @ has %U, which is %s"},
	controlInName:         {CodeEmailProfile, "name-control", SeverityMedium, "the display name has %U, which changes the direction of text behind it"},
	marksInName:           {CodeEmailProfile, "name-marks", SeverityMedium, "the display name has a pile of marks, such as %U, on one letter"},
	variantInLocalPart:    {CodeEmailProfile, "form", SeverityLow, "the part before the @ has characters in an unusual form (not NFKC)"},
	rareInLocalPart:       {CodeEmailProfile, "rare", SeverityLow, "the part before the @ has %U, which is %s"},
	quotedLocalPart:       {CodeEmailProfile, "quoted", SeverityInfo, "the part before the @ is in quotation marks"},
	variantInName:         {CodeEmailProfile, "name-form", SeverityInfo, "the display name has characters in an unusual form (not NFC)"},

	protectedAsName:  {CodeDisplayName, "protected", SeverityHigh, senderText},
	protectedInName:  {CodeDisplayName, "protected-domain", SeverityMedium, senderText},
	brandInName:      {CodeDisplayName, "brand", SeverityMedium, senderText},
	otherAsName:      {CodeDisplayName, "other", SeverityMedium, senderText},
	sameAsName:       {CodeDisplayName, "same-name", SeverityMedium, senderText},
	shortBrandInName: {CodeDisplayName, "short-brand", SeverityLow, senderText},
	domainAsName:     {CodeDisplayName, "domain", SeverityLow, senderText},
	addressInName:    {CodeDisplayName, "mentioned", SeverityLow, senderText},

	brandURL:         {CodeTextTargetMismatch, "protected-url", SeverityHigh, mismatchText},
	brandAddress:     {CodeTextTargetMismatch, "protected-address", SeverityHigh, mismatchText},
	otherURL:         {CodeTextTargetMismatch, "url", SeverityMedium, mismatchText},
	otherAddress:     {CodeTextTargetMismatch, "address", SeverityMedium, mismatchText},
	brandMentioned:   {CodeTextTargetMismatch, "protected-name", SeverityMedium, mismatchText},
	sameName:         {CodeTextTargetMismatch, "same-name", SeverityMedium, mismatchText},
	nameAlone:        {CodeTextTargetMismatch, "name", SeverityLow, mismatchText},
	addressMentioned: {CodeTextTargetMismatch, "address-mentioned", SeverityLow, mismatchText},
	clickCounter:     {CodeTextTargetMismatch, "click-counter", SeverityLow, mismatchText},
	labelOnly:        {CodeTextTargetMismatch, "label", SeverityLow, mismatchText},
	passedOn:         {CodeTextTargetMismatch, "passed-on", SeverityInfo, mismatchText},
}

// mismatchText is the same for all mismatches: only the severity depends on how
// the text names the domain. The first fact is "text" or "label".
const mismatchText = "the %s names %s, the target is %s"

// senderText is the same for all names that say another sender.
const senderText = "the sender is called %s, but the address is at %s"

// withinText describes a finding about a URL within a link.
const withinText = "in a URL that it passes on, of %s: %s"

// severity returns the default severity of findings of the variant.
func (v variant) severity() Severity { return table[v].severity }

// Codes iterates over the codes of the findings of a Judge, in the order of the
// documentation, each with the severity of its worst findings. Weaker findings of the
// same code have a lower severity, unless Options.Severities has one for the code.
func Codes() iter.Seq2[Code, Severity] {
	return func(yield func(Code, Severity) bool) {
		var last Code
		for _, r := range table[nothing+1:] {
			if r.code != last && !yield(r.code, r.severity) {
				return
			}
			last = r.code
		}
	}
}
