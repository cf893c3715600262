package mime

import (
	"strings"
	"unicode/utf8"
)

// A Text is the decoded text of a leaf.
type Text struct {
	Content string // UTF-8, line ends as in the part
	Charset string // as named in Content-Type, in lower case; us-ascii by default
	Flowed  bool   // format=flowed (RFC 3676)
	DelSp   bool   // delsp=yes; only with Flowed
}

// Text decodes a text/* leaf to UTF-8. The error is an [UnreadableError] when
// the part is no text, or when it cannot be decoded without a guess: its
// transfer encoding or charset is unknown or broken, 8-bit octets are not
// declared, or it holds controls that no text has.
func (m *Message) Text(p *Part) (Text, error) {
	if !p.IsText() {
		return Text{}, unreadable(ReasonNotText, "%s", p.MediaType)
	}
	content, err := m.Content(p)
	if err != nil {
		return Text{}, err
	}
	if p.Encoding == "7bit" {
		for _, c := range content {
			if c >= utf8.RuneSelf {
				return Text{}, unreadable(ReasonUndeclared8Bit, "octet 0x%02x in 7bit", c)
			}
		}
	}
	label, ok := p.Params["charset"]
	if !ok {
		label = "us-ascii" // RFC 2046 §4.1.2
	}
	name := canonical(label)
	text, err := decodeCharset(content, name)
	if err != nil {
		return Text{}, err
	}
	if err := checkControls(text); err != nil {
		return Text{}, err
	}
	t := Text{Content: text, Charset: name}
	if p.MediaType == "text/plain" {
		t.Flowed = strings.EqualFold(p.Params["format"], "flowed")
		t.DelSp = t.Flowed && strings.EqualFold(p.Params["delsp"], "yes")
	}
	return t, nil
}

// checkControls refuses the controls that no text has: C0 except TAB, LF, FF and
// CR before LF, and C1, which most often are the octets of another charset.
func checkControls(text string) error {
	for i := range len(text) {
		switch c := text[i]; {
		case c >= ' ' && c != 0xC2, c == '\t', c == '\n', c == '\f':
		case c == '\r':
			if i+1 == len(text) || text[i+1] != '\n' {
				return unreadable(ReasonBareCR, "at %d", i)
			}
		case c == 0xC2: // valid UTF-8: an octet follows
			if text[i+1] < 0xA0 {
				return unreadable(ReasonC1Control, "U+%04X at %d", text[i+1], i)
			}
		case c == 0:
			return unreadable(ReasonNUL, "at %d", i)
		default:
			return unreadable(ReasonC0Control, "U+%04X at %d", c, i)
		}
	}
	return nil
}
