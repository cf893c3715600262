package policy

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

// CodeTextTargetMismatch is the code of findings of [Judge.TextTarget],
// [Judge.LabelTarget] and [Judge.TextScheme] only.
const CodeTextTargetMismatch Code = "text-target-mismatch" // a text that names another domain than its link opens
