package policy

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// A Code names a kind of finding. Codes do not change, because configurations, logs and header
// fields contain them.
type Code string

// The codes of findings about a host.
const (
	CodeMixedScript         Code = "mixed-script"            // scripts in one label that do not go together
	CodeWholeScript         Code = "whole-script-confusable" // a label of another script that reads as a Latin word
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
	CodeListed              Code = "listed"                  // a host or URL on a list that others publish
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

// The codes of findings of [Judge.Link] about an address, and of [Judge.DisplayName].
const (
	CodeEmailProfile Code = "email-profile" // outside the Email Security Profile (UTS #39 §3.3)
	CodeDisplayName  Code = "display-name"  // a name that says another sender than the address
)

// CodeTextTargetMismatch is the code of findings of [Judge.TextTarget],
// [Judge.LabelTarget] and [Judge.TextScheme] only.
const CodeTextTargetMismatch Code = "text-target-mismatch" // a text that names another domain than its link opens

// CodeStyledText is the code of findings of [Judge.StyledText] only.
const CodeStyledText Code = "styled-text" // a text that styles change, so that it was not read as it is shown

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

// A variant is one situation in which a Judge reports a code. Rules return the variant; the table
// has its code, severity and text.
type variant uint8

// The variants, in the order of the table.
const (
	nothing variant = iota // no finding

	clashingScripts
	latinWithScript
	wordsOfSeveralScripts

	readsAsLatin
	wordReadingAsLatin

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
	ownAtService
	addedWord
	beforeDomain
	partBeforeDomain
	likePartner
	dotInName
	withoutDot
	wwwWithoutDot
	schemeAsLabel
	partWithoutDot
	besideLure
	ownName
	nearOwnName
	wordInPath
	ownNameBelow
	shortTypingError
	shortAddedWord
	otherLetters
	shortDotInName
	nearPartner

	restrictedLetter
	markOnDotless
	strayMark
	rareLetter

	digitSystems
	letterAmongDigits

	invisibleInHost
	markTwice
	dotOnDot
	wordBreakInHost
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

	listedHost
	listedURL
	zoneOfDNS
	watchedLink

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
	senderSameName
	shortBrandInName
	domainAsName
	addressInName

	brandURL
	brandAddress
	otherURL
	otherAddress
	brandMentioned
	textSameName
	brandAddressPage
	nameAlone
	addressMentioned
	addressPage
	clickCounter
	labelOnly
	passedOn

	drawnText
)

// A row of the table of findings has what all findings of a variant share. Its text follows the
// label of the finding, as a sentence that a help desk can forward.
type row struct {
	code     Code
	name     string // name of the variant, unique for the code
	severity Severity
	text     string // the detail: a sentence with a verb of package fmt for each fact
}

// table has a row for each variant. The rows of a code are together, the worst
// first; the codes have the order of the documentation.
var table = [...]row{
	clashingScripts: {CodeMixedScript, "clashing", SeverityHigh, "mixes letters of alphabets that do not go together: %s"},
	latinWithScript: {CodeMixedScript, "latin", SeverityMedium, "mixes Latin letters with another alphabet: %s"},

	wordsOfSeveralScripts: {CodeMixedScript, "words", SeverityLow, "has words of several alphabets: %s"},

	readsAsLatin:       {CodeWholeScript, "label", SeverityMedium, "all letters are %s but read as Latin: %s"},
	wordReadingAsLatin: {CodeWholeScript, "word", SeverityLow, "all letters are %s but read as Latin: %s"},

	likeDomain:       {CodeLookalike, "alike", SeverityHigh, "looks like %s but is another site"},
	likeAsTyped:      {CodeLookalike, "as-typed", SeverityHigh, "looks like %s as typed but is another site"},
	likeShortName:    {CodeLookalike, "short-alike", SeverityHigh, "begins like %s but belongs to %s"},
	partLikeDomain:   {CodeLookalike, "part-alike", SeverityHigh, "has a part that looks like %s"},
	nearDomain:       {CodeLookalike, "near", SeverityMedium, "looks like %s but is another site"},
	shortName:        {CodeLookalike, "short-before", SeverityMedium, "begins like %s but belongs to %s"},
	partNearDomain:   {CodeLookalike, "part-near", SeverityMedium, "has a part that looks like %s"},
	likePopular:      {CodeLookalike, "popular", SeverityMedium, "looks like the popular site %s but is another"},
	typingError:      {CodeLookalike, "typing-error", SeverityMedium, "is the name of %s with a typing error"},
	movedHyphen:      {CodeLookalike, "hyphen", SeverityMedium, "is the name of your %s with other hyphens"},
	otherSuffix:      {CodeLookalike, "other-suffix", SeverityMedium, "is the name of your %s with another ending"},
	ownAtService:     {CodeLookalike, "service", SeverityMedium, "has the name of your %s at a service where anybody can have a name"},
	addedWord:        {CodeLookalike, "added-word", SeverityMedium, "is the name of %s with an added word or number"},
	beforeDomain:     {CodeLookalike, "before", SeverityMedium, "begins like %s but belongs to %s"},
	partBeforeDomain: {CodeLookalike, "part-before", SeverityMedium, "has a part that begins like %s but belongs to %s"},
	likePartner:      {CodeLookalike, "correspondent", SeverityMedium, "looks like %s, to which your users write, but is another site"},
	dotInName:        {CodeLookalike, "dot", SeverityMedium, "is the name of %s with a dot in it"},
	withoutDot:       {CodeLookalike, "without-dot", SeverityMedium, "looks like %s without the dot"},
	wwwWithoutDot:    {CodeLookalike, "www-without-dot", SeverityMedium, "looks like www.%s without the dot"},
	schemeAsLabel:    {CodeLookalike, "scheme", SeverityMedium, "reads as the address of %s but is another site"},
	partWithoutDot:   {CodeLookalike, "part-without-dot", SeverityMedium, "has a part that looks like %s without the dot"},
	besideLure:       {CodeLookalike, "beside-lure", SeverityMedium, "is the name of %s with a word that phishing often adds"},
	ownName:          {CodeLookalike, "own-name", SeverityMedium, "has the name of your %s in it but is another site"},
	nearOwnName:      {CodeLookalike, "near-own-name", SeverityMedium, "has a name in it that is near that of your %s"},
	wordInPath:       {CodeLookalike, "word", SeverityMedium, "reads as the name of %s in other letters"},
	ownNameBelow:     {CodeLookalike, "own-name-below", SeverityLow, "has the name of your %s before another domain"},
	shortTypingError: {CodeLookalike, "short-typing-error", SeverityLow, "is the name of %s with a typing error"},
	shortAddedWord:   {CodeLookalike, "short-added-word", SeverityLow, "is the name of %s with an added word"},
	otherLetters:     {CodeLookalike, "transliterated", SeverityLow, "is the name of your %s in Latin letters"},
	shortDotInName:   {CodeLookalike, "short-dot", SeverityLow, "is the name of %s with a dot in it"},
	nearPartner:      {CodeLookalike, "near-correspondent", SeverityLow, "is near %s, to which your users write, and may be another site of its owner"},

	restrictedLetter: {CodeRestrictedCharacter, "restricted", SeverityMedium, "has the character %U, which is %s"},
	markOnDotless:    {CodeRestrictedCharacter, "dotless", SeverityMedium, "has the mark %U on a letter without its dot"},
	strayMark:        {CodeRestrictedCharacter, "mark", SeverityMedium, "has the mark %U on a letter that takes no such mark"},
	rareLetter:       {CodeRestrictedCharacter, "rare", SeverityLow, "has the character %U, which is %s"},

	digitSystems:      {CodeMixedDigits, "systems", SeverityMedium, "has digits of more than one kind"},
	letterAmongDigits: {CodeMixedDigits, "letter", SeverityMedium, "has %U among digits, which looks like %s"},

	invisibleInHost: {CodeInvisibleCharacter, "host", SeverityMedium, "has the invisible character %U"},
	markTwice:       {CodeInvisibleCharacter, "mark-twice", SeverityMedium, "has the mark %U twice on one letter"},
	dotOnDot:        {CodeInvisibleCharacter, "dot", SeverityLow, "has the mark %U on %c, where it cannot be seen"},
	wordBreakInHost: {CodeInvisibleCharacter, "word-break", SeverityLow, "has the invisible word break %U"},
	invisibleInPath: {CodeInvisibleCharacter, "path", SeverityLow, "has the invisible character %U"},
	uselessJoiner:   {CodeInvisibleCharacter, "joiner", SeverityLow, "has the invisible character %U, which changes nothing there"},

	likeSyntax:     {CodeSyntaxLookalike, "host", SeverityHigh, "has %U, which looks like %q"},
	kanaLikeSyntax: {CodeSyntaxLookalike, "kana", SeverityMedium, "has %U out of place, which looks like %q"},
	readsAsDomain:  {CodeSyntaxLookalike, "domain-label", SeverityMedium, "reads as a domain name because of %U, but belongs to another domain"},
	slashInPath:    {CodeSyntaxLookalike, "path", SeverityLow, "has %U, which looks like a slash"},

	emptyLabel:        {CodeInvalidIDNA, "empty-label", SeverityMedium, "the host has an empty label"},
	invalidCharacter:  {CodeInvalidIDNA, "character", SeverityMedium, "the host has a character that no host may have"},
	invalidHyphen:     {CodeInvalidIDNA, "hyphen", SeverityMedium, "the host has a hyphen where none may be"},
	refusedByIDNA:     {CodeInvalidIDNA, "refused", SeverityMedium, "is not a valid international name (UTS #46)"},
	underscore:        {CodeInvalidIDNA, "underscore", SeverityLow, "the host has an underscore"},
	refusedByBrowsers: {CodeInvalidIDNA, "href", SeverityLow, "browsers refuse the host"},

	noSuchTLD: {CodeUnknownTLD, "host", SeverityLow, "ends in a top-level domain that does not exist"},

	impossibleTLD: {CodeInvalidTLD, "host", SeverityLow, "ends in a letter or number that cannot be a top-level domain"},

	addressAsHost: {CodeIPHost, "host", SeverityLow, "is an IP address in place of a name"},

	unusualAddress: {CodeObfuscatedIP, "host", SeverityHigh, "is an IP address in a spelling that hides it: %s"},

	longHost: {CodeTooLong, "host", SeverityLow, "the host is too long for the DNS"},
	longLink: {CodeTooLong, "link", SeverityLow, "the link is too long to be read to its end"},

	domainBeforeRightToLeft: {CodeBidiOrder, "domain", SeverityMedium, "reads as a domain, but belongs to the right-to-left one behind it"},
	pathAmongLabels:         {CodeBidiOrder, "path", SeverityInfo, "is shown with the path among its labels"},

	blockedHost: {CodeBlocked, "host", SeverityHigh, "is on your list of blocked hosts"},

	listedHost:  {CodeListed, "host", SeverityHigh, "is on the list %s (line %d)"},
	listedURL:   {CodeListed, "url", SeverityHigh, "is a page on the list %s (line %d)"},
	zoneOfDNS:   {CodeListed, "zone", SeverityHigh, "is on the block list %s in the DNS (answer %s)"},
	watchedLink: {CodeListed, "watched", SeverityInfo, "is on the list %s, which you watch (line %d)"},

	shortenedURL: {CodeShortener, "host", SeverityInfo, "is a service that shortens links: it hides where they lead"},

	hostAsUser:        {CodeUserinfo, "host", SeverityHigh, "is only a user name: the link opens the host behind the @"},
	backslashBeforeAt: {CodeUserinfo, "backslash", SeverityHigh, "has a backslash before the @: programs open different hosts"},
	anyUser:           {CodeUserinfo, "name", SeverityMedium, "is a user name before the host"},
	emptyUser:         {CodeUserinfo, "empty", SeverityMedium, "has an empty user name before the host"},
	anonymousUser:     {CodeUserinfo, "anonymous", SeverityLow, "is a user name before the host"},
	sameHostAsUser:    {CodeUserinfo, "same-domain", SeverityLow, "is a user name that reads as the host behind it"},

	controlInHost:   {CodeBidiControl, "host", SeverityHigh, "has the invisible character %U, which changes the order of text"},
	overrideInPath:  {CodeBidiControl, "override", SeverityHigh, "has %U, which turns the text behind it"},
	overrideInText:  {CodeBidiControl, "text", SeverityHigh, "has %U, which turns the text that is shown"},
	embeddingInPath: {CodeBidiControl, "embedding", SeverityMedium, "has %U, which changes the order of text"},
	markInPath:      {CodeBidiControl, "mark", SeverityLow, "has %U, which changes the order of text"},

	wordReadsAsLatin: {CodeMixedScriptPath, "latin", SeverityLow, "reads as Latin but mixes alphabets: %s"},
	wordOfScripts:    {CodeMixedScriptPath, "other", SeverityInfo, "mixes alphabets in one word: %s"},

	escapedHost:  {CodeOverEscaped, "host", SeverityMedium, "hides the host behind percent codes"},
	escapedASCII: {CodeOverEscaped, "path", SeverityLow, "hides letters or digits behind percent codes"},

	escapedEscape: {CodeDoubleEscaped, "path", SeverityInfo, "has a percent code of a percent code"},

	overlongEscape: {CodeInvalidEscape, "overlong", SeverityMedium, "has a percent code that is longer than needed (overlong UTF-8)"},
	escapedNUL:     {CodeInvalidEscape, "nul", SeverityMedium, "has a percent code for NUL, which can end a text"},
	strayPercent:   {CodeInvalidEscape, "percent", SeverityLow, "has a percent sign without two hexadecimal digits"},

	scriptsInLocalPart:    {CodeEmailProfile, "scripts", SeverityMedium, "the part before the @ mixes alphabets in one word: %s"},
	digitsInLocalPart:     {CodeEmailProfile, "digits", SeverityMedium, "the part before the @ has digits of more than one kind"},
	restrictedInLocalPart: {CodeEmailProfile, "restricted", SeverityMedium, "the part before the @ has the character %U, which is %s"},
	controlInName:         {CodeEmailProfile, "name-control", SeverityMedium, "the name of the sender has %U, which changes the order of text behind it"},
	marksInName:           {CodeEmailProfile, "name-marks", SeverityMedium, "the name of the sender has a pile of marks on one letter, such as %U"},
	variantInLocalPart:    {CodeEmailProfile, "form", SeverityLow, "the part before the @ has characters in an unusual form (not NFKC)"},
	rareInLocalPart:       {CodeEmailProfile, "rare", SeverityLow, "the part before the @ has the character %U, which is %s"},
	quotedLocalPart:       {CodeEmailProfile, "quoted", SeverityInfo, "the part before the @ is in quotation marks"},
	variantInName:         {CodeEmailProfile, "name-form", SeverityInfo, "the name of the sender has characters in an unusual form (not NFC)"},

	protectedAsName:  {CodeDisplayName, "protected", SeverityHigh, senderText},
	protectedInName:  {CodeDisplayName, "protected-domain", SeverityMedium, senderText},
	brandInName:      {CodeDisplayName, "brand", SeverityMedium, senderText},
	otherAsName:      {CodeDisplayName, "other", SeverityMedium, senderText},
	senderSameName:   {CodeDisplayName, "same-name", SeverityMedium, senderText},
	shortBrandInName: {CodeDisplayName, "short-brand", SeverityLow, senderText},
	domainAsName:     {CodeDisplayName, "domain", SeverityLow, senderText},
	addressInName:    {CodeDisplayName, "mentioned", SeverityLow, senderText},

	brandURL:         {CodeTextTargetMismatch, "protected-url", SeverityHigh, mismatchText},
	brandAddress:     {CodeTextTargetMismatch, "protected-address", SeverityHigh, mismatchText},
	otherURL:         {CodeTextTargetMismatch, "url", SeverityMedium, mismatchText},
	otherAddress:     {CodeTextTargetMismatch, "address", SeverityMedium, mismatchText},
	brandMentioned:   {CodeTextTargetMismatch, "protected-name", SeverityMedium, mismatchText},
	textSameName:     {CodeTextTargetMismatch, "same-name", SeverityMedium, mismatchText},
	brandAddressPage: {CodeTextTargetMismatch, "protected-page", SeverityMedium, mismatchText},
	nameAlone:        {CodeTextTargetMismatch, "name", SeverityLow, mismatchText},
	addressMentioned: {CodeTextTargetMismatch, "address-mentioned", SeverityLow, mismatchText},
	addressPage:      {CodeTextTargetMismatch, "address-page", SeverityLow, mismatchText},
	clickCounter:     {CodeTextTargetMismatch, "click-counter", SeverityLow, mismatchText},
	labelOnly:        {CodeTextTargetMismatch, "label", SeverityLow, mismatchText},
	passedOn:         {CodeTextTargetMismatch, "passed-on", SeverityInfo, mismatchText},

	drawnText: {CodeStyledText, "link", SeverityLow, "the text of the link is drawn by styles that were not read: it may name another site than %s"},
}

// mismatchText is the same for all mismatches: only the severity depends on how
// the text names the domain. The first fact is "text" or "label".
const mismatchText = "the %s names %s, but the link opens %s"

// senderText is the text for display names that name another sender than the address.
const senderText = "the sender is called %s, but the address is at %s"

// within returns the detail of a finding about a URL inside a link. opened is the host of that URL.
func within(opened, detail string) string {
	if strings.HasPrefix(detail, "the ") {
		return opened + ": " + detail
	}
	return opened + ", which " + detail
}

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
