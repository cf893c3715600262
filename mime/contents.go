package mime

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/charset"
	"github.com/linkmilter/linkmilter/internal/meter"
)

// Contents iterates over the contents that programs may decode from the body of p. A body that follows
// its declared encoding has one content, with a nil error. Any other body has several, each with an
// error that wraps the [Reason]. They are the repairs of broken base64 and quoted-printable, the
// encodings that the field may mean, and last the body as written, which no program shows of a body
// in quoted-printable alone. A quoted-printable body whose lines end in white space may have a second
// content that keeps this space (see DelSp, RFC 3676). Use such
// contents to judge a message, never to edit it. If the context ends, the last pair has its error and a
// nil content.
func (m *Message) Contents(p *Part) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		encodings := m.encodings(p)
		content, err := m.content(p)
		if err == nil {
			if !yield(content, nil) {
				return
			}
			if p.encoding == "quoted-printable" && endsLineInSpace(p, m.Body(p)) {
				r := repairs{meter: meter.New(m.ctx), body: m.Body(p), reason: unreadable(reasonInvalidQuotedPrintable, "white space at the end of a line"), yield: yield}
				if !r.repairQuoted() {
					return
				}
			}
			if len(encodings) < 2 {
				return
			}
			err = unreadable(reasonDuplicateEncoding, "")
		}
		if len(encodings) != 1 || p.encoding != "quoted-printable" {
			encodings = append(encodings, "")
		}
		r := repairs{meter: meter.New(m.ctx), body: m.Body(p), reason: err, yield: yield}
		for _, encoding := range encodings {
			if m.ctx.Err() != nil {
				yield(nil, m.ctx.Err())
				return
			}
			if !r.repair(encoding) {
				return
			}
		}
	}
}

// IsWritten reports whether one of the [Message.Contents] of p is its body as written, which no program
// shows of an encoded text.
func (m *Message) IsWritten(p *Part, content []byte) bool {
	body := m.Body(p)
	return len(content) > 0 && len(content) == len(body) && &content[0] == &body[0]
}

// endsLineInSpace reports whether a quoted-printable line ends in white space that some programs keep.
// With DelSp (RFC 3676 §4.1) that space joins the line to the next one. A decoder has to remove it (RFC
// 2045 §6.7, rule 3).
func endsLineInSpace(p *Part, body []byte) bool {
	var text leafText
	if text.readFormat(p); !text.delSp {
		return false
	}
	for line := range bytes.Lines(body) {
		line = bytes.TrimRight(line, "\r\n")
		if kept := bytes.TrimRight(line, " \t"); len(kept) < len(line) && !bytes.HasSuffix(kept, []byte("=")) {
			return true
		}
	}
	return false
}

// encodings returns the transfer encodings that the header of p may mean, without duplicates.
func (m *Message) encodings(p *Part) []string {
	encodings := []string{}
	for i := range p.Fields {
		if f := &p.Fields[i]; f.named("Content-Transfer-Encoding") {
			if name := looseEncoding(m.FieldValue(*f)); !slices.Contains(encodings, name) {
				encodings = append(encodings, name)
			}
		}
	}
	return encodings
}

// looseEncoding returns the encoding that lenient programs read in a value of
// Content-Transfer-Encoding: its first word without quotes, parameters and comments.
func looseEncoding(value string) string {
	name := strings.ToLower(strings.TrimLeft(stripComments(value), "\"' \t"))
	if i := strings.IndexAny(name, "\"';, \t"); i >= 0 {
		name = name[:i]
	}
	switch strings.NewReplacer("-", "", "_", "", ".", "").Replace(name) {
	case "base64", "xbase64", "b64":
		return "base64"
	case "quotedprintable", "qp":
		return "quoted-printable"
	case "uuencode", "xuuencode", "uue", "xuue", "xuu":
		return "uuencode"
	case "binary":
		return "binary"
	case "":
		return ""
	}
	if strings.HasPrefix(name, "7") || strings.HasPrefix(name, "8") {
		return "binary" // "8-bit", "8bits", "8bit+"
	}
	return unknownEncoding
}

// unknownEncoding stands for every encoding that no program knows. The body is read once for all of
// them, however many fields there are.
const unknownEncoding = "unknown"

// repairs yields what programs may decode a body to whose transfer encoding is damaged or unclear.
type repairs struct {
	meter  *meter.Meter
	body   []byte
	reason error // why the body has no certain content
	yield  func([]byte, error) bool
}

// give yields a content, or the error of the context. It reports whether the caller wants more.
func (r *repairs) give(content []byte) bool {
	if r.meter.Err() != nil {
		r.yield(nil, r.meter.Err())
		return false
	}
	return r.yield(content, r.reason)
}

// repair yields the contents of the body under an encoding. The empty encoding stands for the body as
// written. It reports whether the caller wants more.
func (r *repairs) repair(encoding string) bool {
	switch encoding {
	case "":
		return r.give(r.body)
	case "binary":
		return true // this is the body as written, which comes last
	case "base64":
		return r.repairBase64()
	case "quoted-printable":
		return r.repairQuoted()
	case "uuencode":
		return r.repairUuencode()
	}
	return (!r.looksBase64() || r.repairBase64()) &&
		(!looksQuoted(r.body) || r.repairQuoted()) &&
		(!charset.LooksUuencoded(r.body) || r.repairUuencode())
}

// repairBase64 decodes base64 up to its padding. Some programs read on after the padding, with or
// without a new start. Some know the alphabet for URLs (RFC 4648 §5).
func (r *repairs) repairBase64() bool {
	first, rest := cutPadding(r.body)
	if !r.give(charset.RawBase64(charset.Base64Digits(r.meter, first, false))) {
		return false
	}
	if bytes.ContainsAny(r.body, "-_") && !r.give(r.pieces(r.body, true)) {
		return false
	}
	if len(charset.Base64Digits(r.meter, rest, false)) == 0 {
		return true
	}
	return r.give(r.pieces(r.body, false)) && r.give(charset.RawBase64(charset.Base64Digits(r.meter, r.body, false)))
}

// cutPadding splits a body before the first padding that ends a group of base64.
func cutPadding(body []byte) (first, rest []byte) {
	digits := 0
	for i, c := range body {
		switch {
		case charset.IsBase64(c):
			digits++
		case c == '=' && digits%4 > 1:
			return body[:i], body[i:]
		}
	}
	return body, nil
}

// pieces decodes a body in which each padding ends a piece of base64.
func (r *repairs) pieces(body []byte, forURLs bool) []byte {
	var decoded []byte
	for len(body) > 0 && r.meter.Err() == nil {
		var piece []byte
		piece, body = cutPadding(body)
		_ = r.meter.Spend(len(piece) + 1) // the meter keeps the error
		decoded = append(decoded, charset.RawBase64(charset.Base64Digits(r.meter, piece, forURLs))...)
		body = bytes.TrimLeft(body, "=")
	}
	return decoded
}

// looksBase64 reports whether the beginning of the body has nothing but lines of base64.
func (r *repairs) looksBase64() bool {
	body := r.body[:min(len(r.body), 512)]
	digits := len(charset.Base64Digits(r.meter, body, true))
	blanks := bytes.Count(body, newline) + bytes.Count(body, carriageReturn) + bytes.Count(body, []byte("="))
	return digits > 8 && digits+blanks == len(body)
}

// repairQuoted decodes quoted-printable. Programs differ in whether they keep an "=" that begins no
// valid escape.
func (r *repairs) repairQuoted() bool {
	kept, broken := lenientQuoted(r.meter, r.body, true)
	if !r.give(kept) {
		return false
	}
	if !broken {
		return true
	}
	dropped, _ := lenientQuoted(r.meter, r.body, false)
	return r.give(dropped)
}

// lenientQuoted decodes the valid escapes and soft line breaks. broken reports whether there are
// invalid escapes.
func lenientQuoted(t *meter.Meter, body []byte, keep bool) (decoded []byte, broken bool) {
	decoded = make([]byte, 0, len(body))
	for len(body) > 0 {
		i := bytes.IndexByte(body, '=')
		if i < 0 {
			break
		}
		decoded, body = append(decoded, body[:i]...), body[i:]
		if t.Spend(i+1) != nil {
			return nil, false
		}
		if b, ok := hexByte(body); ok {
			decoded, body = append(decoded, b), body[3:]
			continue
		}
		if rest := bytes.TrimLeft(body[1:], " \t\r"); len(rest) > 0 && rest[0] == '\n' {
			body = rest[1:]
			continue
		}
		if broken = true; keep {
			decoded = append(decoded, '=')
		}
		body = body[1:]
	}
	return append(decoded, body...), broken
}

// repairUuencode yields the uuencoded files of the body.
func (r *repairs) repairUuencode() bool {
	var files [][]byte
	for file := range charset.Uuencoded(r.meter, r.body) {
		files = append(files, file.Content)
	}
	return r.give(bytes.Join(files, newline))
}

// looksQuoted reports whether a body has an escape of quoted-printable.
func looksQuoted(body []byte) bool {
	for {
		i := bytes.IndexByte(body, '=')
		if i < 0 {
			return false
		}
		if _, ok := hexByte(body[i:]); ok {
			return true
		}
		body = body[i+1:]
	}
}

// errEnough ends the decoding of a part of which only the beginning is wanted.
var errEnough = errors.New("enough")

// Beginnings returns about the first n bytes of each content that programs may decode from the body of
// p (see [Message.Contents]).
func (m *Message) Beginnings(p *Part, n int) [][]byte {
	var head []byte
	err := m.decode(p, func(piece []byte) error {
		head = append(head, piece[:min(len(piece), n)]...)
		if len(head) >= n {
			return errEnough
		}
		return nil
	})
	if err == nil || errors.Is(err, errEnough) {
		return [][]byte{head}
	}
	var heads [][]byte
	r := repairs{meter: meter.New(m.ctx), yield: func(content []byte, _ error) bool {
		heads = append(heads, content[:min(len(content), n)])
		return true
	}}
	const longest = len("=3D\r\n") // encoded length of one byte, at most
	r.body = m.Body(p)[:min(len(m.Body(p)), longest*n)]
	for _, encoding := range append(m.encodings(p), "") {
		r.repair(encoding)
	}
	return heads
}
