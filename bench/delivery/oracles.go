package main

import (
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// aLabels returns a host in ASCII.
func aLabels(host string) string {
	ascii, err := idna.Lookup.ToASCII(host)
	if err != nil {
		panic(err) // the hosts here are valid
	}
	return ascii
}

// A reference is an element that opens a URL.
type reference struct{ href, text string }

// references returns the references of a document.
func references(document string) []reference {
	var all []reference
	inside := false
	z := html.NewTokenizer(strings.NewReader(document))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return all
		case html.StartTagToken:
			for t := z.Token(); len(t.Attr) > 0 && t.Data == "a"; t.Attr = t.Attr[1:] {
				if t.Attr[0].Key == "href" {
					all, inside = append(all, reference{href: t.Attr[0].Val}), true
				}
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "a" {
				inside = false
			}
		case html.TextToken:
			if inside {
				all[len(all)-1].text += z.Token().Data
			}
		}
	}
}

var (
	mailscannerLink   = regexp.MustCompile(`^(w+|ft+p|fpt+|ma[il]+to)([.,]|%2e)|[.,](com|org|net|info|biz|ws)|[.,]com?[.,][a-z][a-z]|^(ht+ps?|ft+p|fpt+|mailto|webcal)[:;](//)?.*(\.|%2e)`)
	mailscannerScheme = regexp.MustCompile(`^(ht+ps?|ft+p|fpt+|mailto|webcal)[:;](//)?`)
	mailscannerNumber = regexp.MustCompile(`[<>g-wyz]`)
)

// mailscanner reports whether MailScanner's phishing net, in its strict form, warns of a
// reference to the web. It compares the host in the text with that of the target, in
// lower case, byte by byte, if the text looks like a link; it distrusts each target that
// may be a number.
func (r reference) mailscanner() bool {
	target := mailscannerURL(r.href)
	if strings.HasPrefix(target, "mailto:") || !strings.ContainsAny(target, "./") {
		return false
	}
	target = mailscannerScheme.ReplaceAllString(target, "")
	if i := strings.IndexAny(target, "?/"); i >= 0 {
		target = target[:i]
	}
	odd := strings.ContainsFunc(target, func(c rune) bool { return c < ' ' || c > '~' })
	number := !mailscannerNumber.MatchString(target)
	fields := strings.Fields(strings.ReplaceAll(mailscannerURL(r.text), "\\", "/"))
	text := ""
	for _, field := range fields {
		if strings.ContainsAny(field, ".:") {
			text = field
			break
		}
	}
	if !odd && !number && !mailscannerLink.MatchString(text) {
		return false
	}
	text = mailscannerScheme.ReplaceAllString(text, "")
	text, _, _ = strings.Cut(text, "/")
	text = strings.TrimRight(text, ".,")
	www := strings.TrimLeft(text, "w")
	return odd || number || text != target && (len(www) == len(text) || www != "."+target)
}

// mailscannerURL returns a URL in the form in which MailScanner compares it.
func mailscannerURL(s string) string {
	s = strings.ToLower(s)
	if plain, err := url.PathUnescape(s); err == nil {
		s = plain
	}
	return strings.Replace(s, ":80/", "/", 1)
}

// thunderbird reports whether Thunderbird asks before it opens a reference: the text is
// not the target, and either the target is an address in digits, or the text begins with
// a scheme of the web and names another registrable domain.
func (r reference) thunderbird() bool {
	target, err := url.Parse(r.href)
	if err != nil || target.Scheme != "http" && target.Scheme != "https" || strings.TrimRight(r.text, "/") == strings.TrimRight(r.href, "/") {
		return false
	}
	if !strings.ContainsFunc(target.Hostname(), func(c rune) bool { return (c < '0' || c > '9') && c != '.' && c != ':' }) {
		return true
	}
	text := strings.ReplaceAll(r.text, " ", "")
	if !strings.HasPrefix(text, "http:") && !strings.HasPrefix(text, "https:") {
		return false
	}
	shown, err := url.Parse(text)
	if err != nil {
		return true
	}
	return registrable(shown.Hostname()) != registrable(target.Hostname())
}

// registrable returns the registrable domain of a host in ASCII.
func registrable(host string) string {
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}
