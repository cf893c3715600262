package engine

import "strings"

// This file recognises IPv4 addresses with octal numbers behind the syntax of a URL.

// isOctal reports whether browsers read s as four numbers of an IPv4 address of which some are
// octal.
func isOctal(s string) bool {
	if len(s) > maxNumber || strings.Count(s, ".") != 3 || strings.Contains(s, "..") {
		return false
	}
	_, err := ipv4(s)
	return err == nil
}

// expectsHost reports whether a text ends in "//", or in the "@" of a mailto: URL.
func expectsHost(text string) bool {
	local, ok := strings.CutSuffix(text, "@")
	if !ok {
		return strings.HasSuffix(text, "//")
	}
	return mailtoStart(local, len(local), 0) >= 0
}
