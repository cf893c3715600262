package judge

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/piece"
	"github.com/linkmilter/linkmilter/internal/scheme"
	"github.com/linkmilter/linkmilter/internal/script"
)

// Opened returns the link that browsers open for a URL. If there is none, it returns the links that
// other programs may open. refused reports whether browsers refuse the URL. A URL without a web scheme
// may be a bare host, which mail programs open. A URL with another scheme may hold a web URL.
func (f *finder) Opened(url string) (links []engine.Link, refused bool) {
	if len(url) > f.MaxLinkLen {
		return f.openedLong(url), false
	}
	link, err := engine.ParseLink(url)
	name, _ := scheme.Name(url)
	if err == nil && (scheme.IsWeb(name) || link.Components().Scheme != "") {
		if links = append(links, link); name == scheme.Mailto {
			links = append(links, f.recipients(url)...)
		}
		return links, false
	}
	refused = err != nil
	if scheme.IsMessage(name) {
		return nil, refused
	}
	if links := f.wrapped(name, url); len(links) > 0 {
		return links, false
	}
	if scheme.IsCode(name) {
		return f.inScript(percent.Decode(url)), refused
	}
	links = slices.DeleteFunc(f.In(url), isBeside)
	if name == scheme.Mailto {
		links = append(links, f.recipients(url)...)
		if len(links) == 0 {
			links = f.Address(BareAddress(percent.Decode(url[len("mailto:"):])))
		}
	} else if len(links) == 0 && name != "" && !scheme.IsLinked(name) {
		links = f.recipients(url) // "googlegmail:///co?to=" opens a mail program
	}
	if (scheme.IsLinked(name) || !strings.Contains(url, ":")) && len(links) > 0 {
		links = links[:1]
		if links[0].Start > 0 {
			return nil, refused
		}
	}
	return links, refused
}

// openedLong is Opened for a URL longer than the limit: it returns a suspect with the URL's host. A
// long URL of another scheme, such as a picture in data:, is read up to the limit.
func (f *finder) openedLong(url string) []engine.Link {
	head := withShortAuthority(url)
	if len(head) > f.MaxLinkLen {
		head = head[:piece.RuneStart(head, f.MaxLinkLen)]
	}
	if link, err := engine.ParseLink(head); err == nil && link.Components().Scheme != "" {
		link = link.Head(f.MaxLinkLen)
		link.Kind, link.Reason, link.End = engine.KindSuspect, engine.ReasonTooLong, len(url)
		return []engine.Link{link}
	}
	links, _ := f.Opened(head)
	return links
}

const (
	// maxUserinfo is how many bytes of its userinfo a long URL keeps.
	maxUserinfo = 256
	// maxSchemes is how many schemes a URL may have before its host.
	maxSchemes = 4
)

// withShortAuthority brings the host of a URL near its start: with two slashes after the scheme, where
// browsers accept any number, and a long userinfo cut. It returns other URLs unchanged.
func withShortAuthority(url string) string {
	name, rest := "", url
	for range maxSchemes { // view-source:https:
		outer, after := scheme.Name(rest)
		if outer == "" {
			break
		}
		name, rest = outer, after
	}
	after := strings.TrimLeft(rest, `/\`)
	if after == "" || len(after) == len(rest) && !scheme.IsLinked(name) {
		return url
	}
	authority := after
	if i := strings.IndexAny(after, `/\?#`); i >= 0 {
		authority = after[:i]
	}
	userinfo, path := "", after
	if i := strings.LastIndexByte(authority, '@'); i > maxUserinfo {
		userinfo, path = after[:piece.RuneStart(after, maxUserinfo)], after[i:]
	}
	if userinfo == "" && len(rest)-len(after) <= 2 {
		return url
	}
	return url[:len(url)-len(rest)] + "//" + userinfo + path
}

// recipients returns the addresses in the query of a mailto URL (RFC 6068 §2), or of another URL that
// opens a mail program.
func (f *finder) recipients(url string) (links []engine.Link) {
	_, query, _ := strings.Cut(url, "?")
	for field := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(field, "=")
		switch strings.ToLower(percent.Decode(name)) {
		case "to", "cc", "bcc", "reply-to", "recipient":
		default:
			continue
		}
		for address := range strings.SplitSeq(percent.Decode(value), ",") {
			if len(links) < maxWrapped {
				links = append(links, f.Address(BareAddress(address))...)
			}
		}
	}
	return links
}

// Address returns an address as links. If the local-part or domain cannot be in a link, it returns the
// domain as the host of a link or suspect.
func (f *finder) Address(address string) []engine.Link {
	address = strings.Trim(address, ",; ") // separators of an empty address
	if len(address) > f.MaxLinkLen {
		address = address[len(address)-f.MaxLinkLen:] // the end has the domain
	}
	link, err := engine.ParseLink(address)
	if err == nil && link.Kind == engine.KindEmail {
		return []engine.Link{link}
	}
	if i := strings.LastIndexByte(address, '@'); i >= 0 {
		domain := "http://" + strings.TrimSpace(address[i+1:])
		if link, err := engine.ParseLink(domain); err == nil {
			return []engine.Link{link}
		}
		return f.In(domain)
	}
	return f.In(address)
}

// inScript returns the links in the script of a URL, both as written and with its strings decoded.
func (f *finder) inScript(source string) (links []engine.Link) {
	texts, _ := script.Texts(source)
	known := make(map[string]bool)
	for _, text := range texts {
		for _, link := range f.In(text) {
			if !isBeside(link) && !known[link.Text] && len(links) < maxWrapped {
				known[link.Text] = true
				links = append(links, link)
			}
		}
	}
	return links
}

// isBeside reports whether a suspect of a URL would be one only in plain text, where programs link its
// host. In a URL that host belongs to another scheme or to the path.
func isBeside(l engine.Link) bool {
	return l.Reason == engine.ReasonNoHost && l.ASCIIHost() == "" || l.Start > 0 && (l.Reason == engine.ReasonTouching || l.Reason == engine.ReasonNoScheme)
}

const (
	// maxEscaped is how often a URL inside another is decoded.
	maxEscaped = 3
	// maxWrapped is how many URLs inside another are judged.
	maxWrapped = 8
)

// wrapped returns the links that a URL with an application's scheme opens, such as "intent://host/",
// "x-safari-https://host/", "microsoft-edge:https://host/" or
// "firefox://open-url?url=https%3A%2F%2Fhost". These are the URLs inside it, and the URL itself with
// "https:". A "file:" URL may name a host, too. wrapped returns nil for web schemes and for URLs that
// hold their content.
func (f *finder) wrapped(name, url string) []engine.Link {
	if name == "" || scheme.IsWeb(name) || name == scheme.Mailto || contentSchemes[name] && name != "file" {
		return nil
	}
	w := inScheme{finder: f}
	rest := url[len(name)+1:]
	if inner := strings.TrimLeft(rest, `/\`); inner != rest && !hasNumberForHost(name, inner) {
		if !opensBrowser(name) {
			inner = WithoutUser(inner)
		}
		w.parse("https://" + inner)
	}
	for range maxEscaped {
		w.collect(rest)
		decoded := percent.Decode(rest)
		if decoded == rest {
			break
		}
		rest = decoded
	}
	return w.links
}

// opensBrowser reports whether a scheme of an application hands a URL to a browser.
func opensBrowser(name string) bool {
	return strings.Contains(name, "http") || name == "intent" || name == "googlechrome"
}

// WithoutUser returns what is behind "//" in a URL without its userinfo, which is ordinary in URLs of
// mail programs and repositories, "imap://joe@example.com/".
func WithoutUser(rest string) string {
	authority, path := rest, ""
	if i := strings.IndexAny(rest, `/\?#`); i >= 0 {
		authority, path = rest[:i], rest[i:]
	}
	return authority[strings.LastIndexByte(authority, '@')+1:] + path
}

// hasNumberForHost reports whether a URL has a number in place of the host, as "tel://110" or
// "x-apple-data-detectors://0" do. Only for the schemes of browsers is such a number a host.
func hasNumberForHost(name, rest string) bool {
	if opensBrowser(name) {
		return false
	}
	after := strings.TrimLeft(rest, "0123456789")
	return len(after) < len(rest) && (after == "" || strings.IndexByte("/?#;,", after[0]) >= 0)
}

// inScheme collects the links in a URL with an application's scheme.
type inScheme struct {
	*finder
	links []engine.Link
}

// add adds a link that is new, if its host has a dot or is an IPv6 address.
func (w *inScheme) add(link engine.Link) {
	isKnown := slices.ContainsFunc(w.links, func(known engine.Link) bool { return known.Text == link.Text })
	if !isKnown && len(w.links) < maxWrapped && strings.ContainsAny(link.ASCIIHost(), ".[") {
		w.links = append(w.links, link)
	}
}

// parse adds a URL if it is valid.
func (w *inScheme) parse(url string) {
	if link, err := engine.ParseLink(url); err == nil {
		w.add(link)
	}
}

// collect adds the links in the text after the scheme.
func (w *inScheme) collect(rest string) {
	for _, link := range w.In(rest) {
		if link.Components().Scheme != "" {
			w.add(link)
		}
	}
	w.collectTouching(rest)
	w.parse("https://" + shareHost(rest))
}

// collectTouching adds URLs that touch other text in front of them, where a scanner finds none.
func (w *inScheme) collectTouching(rest string) {
	const start = "http"
	for {
		i := strings.Index(rest, start)
		if i < 0 {
			return
		}
		rest = rest[i:]
		if name, _ := scheme.Name(rest); scheme.IsLinked(name) {
			url := rest
			if end := strings.IndexAny(rest, "&;,\"'<> "); end >= 0 {
				url = rest[:end]
			}
			w.parse(url)
		}
		rest = rest[len(start):]
	}
}

// shareHost returns the host of a share in a URL, or "": "search-ms:…location:\\host@SSL\share".
func shareHost(rest string) string {
	i := strings.Index(rest, `\\`)
	if at := strings.Index(rest, "location://"); at >= 0 {
		i = at + len("location:")
	}
	if i < 0 {
		return ""
	}
	host := strings.TrimLeft(rest[i:], `\/`)
	if end := strings.IndexAny(host, `\/@&`); end >= 0 {
		host = host[:end]
	}
	return host
}

// BareAddress returns an address without a name and angle brackets.
func BareAddress(text string) string {
	text = text[strings.LastIndexByte(text, '<')+1:]
	if i := strings.IndexByte(text, '>'); i >= 0 {
		text = text[:i]
	}
	return strings.TrimSpace(text)
}
