package script

import (
	"encoding/base64"
	"regexp"
	"strconv"
	"strings"

	"github.com/linkmilter/linkmilter/internal/percent"
)

var (
	joint      = regexp.MustCompile("[\"'`]\\s*\\+\\s*[\"'`]")
	inBase64   = regexp.MustCompile("[\"'`]([A-Za-z0-9+/]{8,})={0,2}[\"'`]")
	charCodes  = regexp.MustCompile(`fromCharCode\s*\(([\s\w,]+)\)`)
	hostPart   = regexp.MustCompile("(?i)\\bhost(?:name)?[\"'`]?\\s*\\]?\\s*[=,]\\s*[\"'`]([^\\s\"'`/.]+\\.[^\\s\"'`/]+)[\"'`]")
	hostString = regexp.MustCompile("[\"'`]((?:[A-Za-z0-9-]+\\.)+[A-Za-z]{2,24}(?:/[^\"'`\\s]*)?)[\"'`]")
	noScheme   = regexp.MustCompile("[\"'`](//[A-Za-z0-9-]+\\.[A-Za-z0-9.-]+[^\"'`\\s]*)")
)

// Decodes reports whether a script is encoded, or calls functions that make texts from other texts
// or numbers. Hidden returns such texts of JavaScript.
func Decodes(script string) bool {
	for _, name := range [...]string{
		"atob", "unescape", "decodeURI", "fromCharCode",
		"#@~^", // by Microsoft's Script Encoder
	} {
		if strings.Contains(script, name) {
			return true
		}
	}
	return decodesInAnyCase(script)
}

// inAnyCase matches functions and casts of VBScript and PowerShell. In JavaScript, "[char]" after a
// name is an index.
var inAnyCase = regexp.MustCompile(`\bchrw?\s*\(|\bstrreverse\s*\(|frombase64string|char\[\]\]|char\]\s*[\d$]|(?:^|[^\w)\]])\[(?:system\.)?char\]\s*\(`)

// decodesInAnyCase is Decodes for languages without case.
func decodesInAnyCase(script string) bool {
	lower := strings.ToLower(script)
	for _, name := range [...]string{"chr", "strreverse", "frombase64string", "char]", "char["} {
		if strings.Contains(lower, name) {
			return inAnyCase.MatchString(lower)
		}
	}
	return false
}

// Hidden returns the texts that a script joins or decodes from literals: joined strings, and the
// results of unescape, atob and fromCharCode. It adds a scheme to URLs without one, and to hosts
// that the script sets or appends to a scheme. The texts are at most six times as long as the
// script.
func Hidden(script string) (texts []string) {
	if strings.Contains(script, "+") {
		if joined := joint.ReplaceAllLiteralString(script, ""); len(joined) < len(script) {
			script = joined
			texts = append(texts, script)
		}
	}
	if strings.Contains(script, "%") && (strings.Contains(script, "unescape") || strings.Contains(script, "decodeURI")) {
		texts = append(texts, percent.Decode(script))
	}
	if strings.Contains(script, "atob") {
		texts = append(texts, eachOf(inBase64, script, func(digits string) string {
			decoded, _ := base64.RawStdEncoding.DecodeString(digits)
			return string(decoded)
		})...)
	}
	if strings.Contains(script, "fromCharCode") {
		texts = append(texts, eachOf(charCodes, script, ofCodes)...)
	}
	if strings.Contains(script, `"//`) || strings.Contains(script, "'//") || strings.Contains(script, "`//") {
		texts = append(texts, eachOf(noScheme, script, func(url string) string { return "https:" + url })...)
	}
	if strings.Contains(strings.ToLower(script), "host") {
		texts = append(texts, eachOf(hostPart, script, withScheme)...)
	}
	if hasSchemes(script) {
		texts = append(texts, eachOf(hostString, script, withScheme)...)
	}
	return texts
}

// hasSchemes reports whether one of the strings of a script is a scheme. Most scripts are short, so
// that a regular expression would take longer than all else.
func hasSchemes(script string) bool {
	isQuote := func(c byte) bool { return c == '"' || c == '\'' || c == '`' }
	for i := range len(script) {
		if !isQuote(script[i]) || i+1 == len(script) || script[i+1]|0x20 != 'h' && script[i+1] != '/' {
			continue
		}
		head := script[i+1 : min(len(script), i+2+len("https://"))]
		for end := range len(head) {
			if !isQuote(head[end]) {
				continue
			}
			switch strings.ToLower(head[:end]) {
			case "http:", "https:", "http://", "https://", "//":
				return true
			}
			break
		}
	}
	return false
}

// withScheme returns a host with a scheme, and "" for the name of a file.
func withScheme(host string) string {
	name, _, isURL := strings.Cut(host, "/")
	switch suffix := strings.ToLower(name[strings.LastIndexByte(name, '.')+1:]); {
	case isURL:
	case strings.Contains(" css gif htm html jpeg jpg js json jsp map mjs php png svg txt webp xml ", " "+suffix+" "):
		return ""
	}
	return "https://" + host
}

// eachOf returns the results of decode for the first group of each match.
func eachOf(pattern *regexp.Regexp, script string, decode func(string) string) (texts []string) {
	for _, match := range pattern.FindAllStringSubmatch(script, -1) {
		if text := decode(match[1]); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// ofCodes returns the text with the codes in a list of numbers.
func ofCodes(list string) string {
	var b strings.Builder
	for number := range strings.SplitSeq(list, ",") {
		if code, err := strconv.ParseUint(strings.TrimSpace(number), 0, 16); err == nil {
			b.WriteRune(rune(code))
		}
	}
	return b.String()
}
