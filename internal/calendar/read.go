package calendar

import (
	"context"
	"encoding/base64"
	"errors"
	"iter"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/percent"
)

// Read iterates over the values of an iCalendar, vCard or LDIF that may hold links: those of all
// properties and of their parameters. It reads lines that are not properties as text. The names of
// a card come after the rest of the card, at the places of its addresses. The error is that of ctx
// or [ErrTooManyLabels], and comes last. Time and memory grow no faster than the source.
func Read(ctx context.Context, source string) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		r := reader{ctx: ctx, yield: yield}
		lines := cutter{ctx: ctx, source: source}
		for pos := 0; pos < len(source) && !r.stopped; {
			l := lines.cut(pos)
			if lines.err != nil {
				yield(Item{}, lines.err)
				return
			}
			pos = l.end
			r.line(&l)
			if l.unfolded != "" {
				l.text = l.unfolded
				r.line(&l)
			}
		}
		r.endCard()
		if (r.leftOut || r.groups.leftOut || r.card.leftOut) && !r.stopped {
			yield(Item{}, ErrTooManyLabels)
		}
	}
}

// ErrTooManyLabels says that some labels of URLs were left out, or may have been.
var ErrTooManyLabels = errors.New("too many labels")

// reader passes on the items of a source.
type reader struct {
	ctx     context.Context
	yield   func(Item, error) bool
	stopped bool // the caller wants no more
	leftOut bool // some parameters were not read one by one
	start   int  // offset of the line
	end     int
	groups  groups // those of the card
	card    card
	file    Item // the last file that was passed on
}

func (r *reader) give(kind Kind, value, name string) {
	if value == "" || r.stopped {
		return
	}
	r.stopped = !r.yield(Item{Kind: kind, Value: value, Name: name, Start: r.start, End: r.end}, nil)
}

// giveFile passes on a file that a property holds, unless it was passed on just before: several
// readings of a value may give the same file.
func (r *reader) giveFile(p *property, content, mediaType string) {
	file := Item{KindContent, content, p.fileName(), mediaType, r.start, r.end}
	if content == "" || r.stopped || file == r.file {
		return
	}
	r.file = file
	r.stopped = !r.yield(file, nil)
}

// line passes on the values of a logical line.
func (r *reader) line(l *line) {
	r.start, r.end = l.start, l.end
	p, ok := parse(l.text)
	if !ok {
		r.give(kindText, l.text, "")
		return
	}
	r.leftOut = r.leftOut || p.together
	for _, q := range p.parameters {
		switch {
		case urlParameters[q.name]:
			r.reference(&p, q.value)
			if q.name == "ALTREP" && !longTexts[p.name] {
				r.give(KindLabel, q.value, unescape(p.value))
			}
		case q.name == "EMAIL":
			r.give(KindAddress, q.value, p.get("CN"))
		case q.name != "CN":
			r.text(q.value)
		}
	}
	if encoded, ok := strings.CutPrefix(p.value, ":"); ok { // LDIF (RFC 2849)
		if decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded)); err == nil {
			r.giveFile(&p, string(decoded), p.mediaType())
		}
	}
	switch encodingOf(l.text) {
	case quotedPrintable:
		r.quotedPrintable(&p)
	case base64Value:
		r.base64(&p, p.value, p.mediaType())
	}
	r.value(&p, p.value) // the encoding may be a word in another parameter, so the value is also read as it is
}

// quotedPrintable passes on a value in quoted-printable.
func (r *reader) quotedPrintable(p *property) {
	decoded := percent.DecodeMarked(p.value, '=')
	for text, err := range charset.Readings(r.ctx, p.get("CHARSET"), []byte(decoded)) {
		if err != nil {
			return
		}
		r.value(p, text)
	}
}

// base64 passes on a file in base64.
func (r *reader) base64(p *property, value, mediaType string) {
	digits := make([]byte, 0, len(value))
	for i := range len(value) {
		if charset.IsBase64(value[i]) {
			digits = append(digits, value[i])
		}
	}
	r.giveFile(p, string(charset.RawBase64(digits)), mediaType)
}

// value passes on a decoded value, with the kind that says what programs do with the property.
func (r *reader) value(p *property, value string) {
	value = unescape(value)
	switch {
	case addressProperties[p.name], p.get("CN") != "":
		r.give(KindAddress, value, p.get("CN"))
	case urlProperties[p.name], strings.EqualFold(p.get("VALUE"), "uri"):
		r.reference(p, value)
		r.labels(p, value)
	case p.name == "X-ALT-DESC", ascii.HasPrefixFold(p.get("FMTTYPE"), "text/html"):
		r.give(KindHTML, value, "")
	default:
		r.text(value)
	}
	r.groups.note(p, value, func(url, label string) { r.give(KindLabel, url, label) })
	if r.card.note(p, value, r.start, r.end) {
		r.endCard()
	}
}

// endCard passes on the addresses of a vCard with its names.
func (r *reader) endCard() {
	r.card.finish(func(address cardValue, name string) {
		r.start, r.end = address.start, address.end
		r.give(KindName, address.value, name)
	})
}

// text passes on a text. Many programs show markup in it as HTML.
func (r *reader) text(value string) {
	r.give(kindText, value, "")
	if strings.Contains(value, "<") && strings.Contains(value, ">") || strings.Contains(value, "&#") {
		r.give(KindHTML, value, "")
	}
}

// labels passes on a URL with the labels that its property has as parameters.
func (r *reader) labels(p *property, url string) {
	for _, q := range p.parameters {
		if q.isLabel() {
			r.give(KindLabel, strings.TrimSpace(url), q.value)
		}
	}
}

// reference passes on a URL, and the content of a data: URL (RFC 2397).
func (r *reader) reference(p *property, value string) {
	value = strings.TrimSpace(value)
	r.give(KindURL, value, "")
	if !ascii.HasPrefixFold(value, "data:") {
		return
	}
	head, data, ok := strings.Cut(value, ",")
	if !ok {
		return
	}
	data = percent.Decode(data)
	mediaType, _, _ := strings.Cut(head[len("data:"):], ";")
	if strings.Contains(strings.ToLower(head), ";base64") {
		r.base64(p, data, mediaType)
		return
	}
	r.giveFile(p, data, mediaType)
}
