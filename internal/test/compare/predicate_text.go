package main

import (
	"regexp"
	"strings"
)

func live(text string) string {
	text = regexp.MustCompile(`\[([^\[\]\s\pL\pN])\]`).ReplaceAllString(text, "$1")
	text = regexp.MustCompile(`(?i)\bfxp:`).ReplaceAllString(text, "ftp:")
	text = regexp.MustCompile(`(?i)\bhxxp(s?:)`).ReplaceAllString(text, "http$1")
	return regexp.MustCompile(`(?i)\b(?:https?|ftp):`).ReplaceAllStringFunc(text, strings.ToLower)
}

// hostInText matches a host that goes on somewhere in a text.
var hostInText = regexp.MustCompile("(?i)(?:https?|ftp)://[\\pL\\pN.-]+\\.[\\pL\\pN-]{2,}(?:\\.?[_+~!$&'*=;,|\\\\^`{}]|[\uff00-\uff0f\uff1a-\uff20])")

var (
	anchorTags = regexp.MustCompile(`</?(?:a|bdi)(?: [^>]*)?>`)
	ownField   = regexp.MustCompile(`^X-Linkmilter(?:-Finding)?: `)
)
