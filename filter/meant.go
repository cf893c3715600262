package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
)

// meant reports whether the sender meant a link as one. A bare host may be a file
// (report.zip, main.rs:42) or two sentences run together (attached.Thanks). The filter
// judges such a link, but neither links nor rewrites it. A bare host is meant with
// "www.", a path or a query, or in lower case with a last label that is not a common
// file suffix. A link with a scheme is meant, and so is an address.
func meant(link engine.Link) bool {
	c := link.Components()
	if link.Kind != engine.KindURL || c.Scheme != "" || c.Path != "" || c.Query != "" {
		return true
	}
	host := c.Host
	if ascii.HasPrefixFold(host, "www.") {
		return true
	}
	return !hasUpper(host) && !fileSuffixes.Has(lastLabel(host)) && !runTogether(host)
}

// hasUpper reports whether a text holds an upper-case letter. Scripts without case have
// none.
func hasUpper(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsTitle(r) })
}

// hostDots are the full stops between labels (UTS #46 §2.3); ideographicStops are those
// that also end sentences, without white space behind them.
const (
	hostDots         = ".\u3002\uff0e\uff61"
	ideographicStops = "\u3002\uff61"
)

// lastLabel returns the last label of a host, without a final dot.
func lastLabel(host string) string {
	host = strings.TrimRight(host, hostDots)
	if i := strings.LastIndexAny(host, hostDots); i >= 0 {
		_, size := utf8.DecodeRuneInString(host[i:])
		host = host[i+size:]
	}
	return host
}

// runTogether reports whether an ideographic full stop is between two characters beyond
// ASCII, where it ends a sentence.
func runTogether(host string) bool {
	for i, r := range host {
		if !strings.ContainsRune(ideographicStops, r) {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(host[:i])
		after, size := utf8.DecodeRuneInString(host[i+utf8.RuneLen(r):])
		if size > 0 && before >= utf8.RuneSelf && after >= utf8.RuneSelf {
			return true
		}
	}
	return false
}
