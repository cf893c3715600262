package filter

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/percent"
	"github.com/linkmilter/linkmilter/internal/script"
)

// recipients returns the addresses that a mailto URL adds to the one that it begins with
// (RFC 6068 §2), and those of the URLs of mail programs.
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
				links = append(links, f.address(bareAddress(address))...)
			}
		}
	}
	return links
}

// address returns an address as links. Where the local-part or domain cannot be in
// a link, it returns the domain as the host of a link or suspect.
func (f *finder) address(address string) []engine.Link {
	address = strings.Trim(address, ",; ") // an empty address beside it
	if len(address) > f.maxLinkLen {
		address = address[len(address)-f.maxLinkLen:] // with the domain
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
		return f.in(domain)
	}
	return f.in(address)
}

// inScript returns the links in the script of a URL, as written and with its strings decoded.
func (f *finder) inScript(source string) (links []engine.Link) {
	plain := script.Unescape(source)
	known := make(map[string]bool)
	for _, text := range append([]string{source, plain}, script.Hidden(plain)...) {
		for _, link := range f.in(text) {
			if !isBeside(link) && !known[link.Text] && len(links) < maxWrapped {
				known[link.Text] = true
				links = append(links, link)
			}
		}
	}
	return links
}

// isBeside reports whether a suspect is one only in a text, where programs make links of
// its host. In a URL the host is that of another scheme, or in a path.
func isBeside(l engine.Link) bool {
	return l.Reason == engine.ReasonNoHost && l.ASCIIHost() == "" || l.Start > 0 && (l.Reason == engine.ReasonTouching || l.Reason == engine.ReasonNoScheme)
}
