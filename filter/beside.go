package filter

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/policy"
)

// maxBeside is how many bytes before a link are read with it: as much as a name has.
const maxBeside = 256

// A besideReader judges a link of a text together with the characters right before it, where
// a reader or another program takes more than the link for the address.
type besideReader struct {
	*judge
	ctx  context.Context
	text string
}

// findings returns findings of high severity about what link is with the text before it.
// before is the link before it.
func (r besideReader) findings(link, before engine.Link) []policy.Finding {
	last := byte(' ')
	if link.Start > 0 {
		last = r.text[link.Start-1]
	}
	switch {
	case link.Kind == engine.KindEmail && (strings.Contains(link.Text, "//") || last == '/' || last == '\\' || last == ':'):
		return r.behindSlashes(link)
	case last >= utf8.RuneSelf:
		return r.behindHidden(link, before)
	case last == '%':
		return r.behindEscape(link)
	}
	return nil
}

// behindHidden reads a link as a reader does who does not see the invisible characters and
// the marks of other scripts within its name: programs begin the link behind them.
func (r besideReader) behindHidden(link, before engine.Link) []policy.Finding {
	hidden := false
	floor := max(link.Start-maxBeside, 0)
	start := 1 + strings.LastIndexFunc(r.text[floor:link.Start], func(c rune) bool {
		unseen := isUnseen(c)
		hidden = hidden || unseen
		return !unseen && !isOfName(c)
	})
	if !hidden || hostname.Registrable(before.ASCIIHost()) == hostname.Registrable(link.ASCIIHost()) {
		return nil
	}
	if start > 0 {
		_, size := utf8.DecodeRuneInString(r.text[floor+start-1:])
		start += size - 1
	}
	seen := strings.Map(func(c rune) rune {
		if isUnseen(c) {
			return -1
		}
		return c
	}, r.text[floor+start:link.Start])
	if seen == "" {
		return nil
	}
	return onlyHigh(r.textTarget(r.ctx, "https://"+seen+link.Text, link))
}

// isOfName reports whether c is an ASCII character of a host.
func isOfName(c rune) bool {
	return c < utf8.RuneSelf && (ascii.IsAlphanumeric(byte(c)) || c == '-' || c == '.')
}

// isUnseen reports whether a reader does not see r within a word of ASCII letters, or
// overlooks it as a mark on one.
func isUnseen(r rune) bool {
	return isInvisible(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unicode.M, r) || '\ufff9' <= r && r <= '\ufffc'
}

// behindEscape reads a link that begins with the digits of a percent escape without them: in
// a URL of another scheme the host begins behind the escape of a slash or an at sign.
func (r besideReader) behindEscape(link engine.Link) []policy.Finding {
	if len(link.Text) < len("2F.") {
		return nil
	}
	if _, ok := ascii.HexByte(link.Text[0], link.Text[1]); !ok {
		return nil
	}
	escaped, err := engine.ParseLink("http://" + link.Text[2:])
	if err != nil {
		return nil
	}
	return onlyHigh(r.verdict(escaped).Findings)
}

// behindSlashes reads an address as the URL that it is behind a scheme or slashes: its
// local-part is then a user name, and may say another host.
func (r besideReader) behindSlashes(link engine.Link) []policy.Finding {
	before := r.text[max(link.Start-len("https://////"), 0):link.Start]
	slashes := before[len(strings.TrimRight(before, `/\`)):]
	readings := [...]string{lastWord(before) + link.Text, slashes + link.Text, link.Text[max(strings.Index(link.Text, "//"), 0):]}
	var high []policy.Finding
	for _, text := range readings {
		for _, url := range r.finder.in(plainText(text)) {
			if url.Kind != engine.KindEmail && url.Components().Userinfo != "" {
				high = append(high, onlyHigh(r.verdict(url).Findings)...)
			}
		}
		if len(high) > 0 {
			break
		}
	}
	return high
}

// lastWord returns what follows the last white space of a text.
func lastWord(text string) string {
	i := strings.LastIndexFunc(text, unicode.IsSpace)
	if i < 0 {
		return text
	}
	_, size := utf8.DecodeRuneInString(text[i:])
	return text[i+size:]
}

// onlyHigh returns the findings of high severity: others are frequent where words run
// together.
func onlyHigh(findings []policy.Finding) (high []policy.Finding) {
	for _, f := range findings {
		if f.Severity >= policy.SeverityHigh {
			high = append(high, f)
		}
	}
	return high
}
