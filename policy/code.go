package policy

import (
	"fmt"
	"slices"
)

// A Code names a kind of finding. Codes are stable: configurations, logs and
// header fields hold them.
type Code string

// The codes of findings about a host.
const (
	CodeMixedScript         Code = "mixed-script"            // scripts in one label that do not go together
	CodeWholeScript         Code = "whole-script-confusable" // a label of another script that reads as Latin
	CodeLookalike           Code = "lookalike"               // looks like a protected domain
	CodeRestrictedCharacter Code = "restricted-character"    // a character that has no place in a host
	CodeMixedDigits         Code = "mixed-digits"            // digits of several systems, or letters among digits that look like digits
	CodeInvisibleCharacter  Code = "invisible-character"     // something that is there and cannot be seen
	CodeSyntaxLookalike     Code = "syntax-lookalike"        // a character that looks like the syntax of a URL
	CodeInvalidIDNA         Code = "invalid-idna"            // a host that UTS #46 refuses
	CodeUnknownTLD          Code = "unknown-tld"             // a top-level domain that does not exist
	CodeInvalidTLD          Code = "invalid-tld"             // a top-level domain that cannot exist
	CodeIPHost              Code = "ip-host"                 // an IP address in place of a name
	CodeObfuscatedIP        Code = "obfuscated-ip"           // an IPv4 address in an unusual spelling
	CodeTooLong             Code = "too-long"                // a host that is too long for the DNS
	CodeBidiOrder           Code = "bidi-order"              // a host displayed in another order than it is read
)

// The codes of findings about the rest of a link. Invisible characters,
// syntax lookalikes and lookalikes are looked for there, too.
const (
	CodeUserinfo        Code = "userinfo"          // a user name or password before the host
	CodeBidiControl     Code = "bidi-control"      // a character that changes the direction of text
	CodeMixedScriptPath Code = "mixed-script-path" // a word of mixed scripts
	CodeOverEscaped     Code = "over-escaped"      // percent-escapes of what needs none
	CodeDoubleEscaped   Code = "double-escaped"    // an escape that is escaped once more
	CodeInvalidEscape   Code = "invalid-escape"    // a percent-escape that is none, or hides something
)

// CodeTextTargetMismatch is found by [Judge.TextTarget] alone.
const CodeTextTargetMismatch Code = "text-target-mismatch" // a text that names another domain than its link opens

// A rule is what is known about a code.
type rule struct {
	code     Code
	severity Severity // the default, which is that of the code's worst findings
}

// rules lists every code there is.
var rules = []rule{
	{CodeMixedScript, SeverityHigh},
	{CodeWholeScript, SeverityMedium},
	{CodeLookalike, SeverityHigh},
	{CodeRestrictedCharacter, SeverityMedium},
	{CodeMixedDigits, SeverityMedium},
	{CodeInvisibleCharacter, SeverityMedium},
	{CodeSyntaxLookalike, SeverityHigh},
	{CodeInvalidIDNA, SeverityMedium},
	{CodeUnknownTLD, SeverityLow},
	{CodeInvalidTLD, SeverityLow},
	{CodeIPHost, SeverityLow},
	{CodeObfuscatedIP, SeverityHigh},
	{CodeTooLong, SeverityLow},
	{CodeBidiOrder, SeverityMedium},
	{CodeUserinfo, SeverityHigh},
	{CodeBidiControl, SeverityHigh},
	{CodeMixedScriptPath, SeverityLow},
	{CodeOverEscaped, SeverityMedium},
	{CodeDoubleEscaped, SeverityInfo},
	{CodeInvalidEscape, SeverityMedium},
	{CodeTextTargetMismatch, SeverityHigh},
}

// Codes returns every code that a Judge can find, in the order of the
// documentation.
func Codes() []Code {
	codes := make([]Code, len(rules))
	for i, r := range rules {
		codes[i] = r.code
	}
	return codes
}

// DefaultSeverity returns the severity of the code's worst findings, or an
// error for a code that does not exist. Weaker findings of the same code have
// a lower severity unless the configuration sets one for the code.
func DefaultSeverity(c Code) (Severity, error) {
	i := slices.IndexFunc(rules, func(r rule) bool { return r.code == c })
	if i < 0 {
		return SeverityNone, fmt.Errorf("unknown finding code %q", string(c))
	}
	return rules[i].severity, nil
}
