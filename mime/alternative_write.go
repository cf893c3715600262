package mime

// A splice holds the bytes that a plan inserts before and after a leaf.
type splice struct {
	eol, boundary string
	eightBit      bool
	before, after []byte
}

func (s *splice) contentType() string {
	return `multipart/alternative; boundary="` + s.boundary + `"`
}

// partFields returns the fields of the multipart that replaces the leaf in the multipart
// around it.
func (s *splice) partFields() string {
	fields := "Content-Type: " + s.contentType() + s.eol
	if s.eightBit {
		fields += "Content-Transfer-Encoding: 8bit" + s.eol
	}
	return fields
}

// header writes the given fields, which may be empty, and an empty line before the leaf.
func (s *splice) header(fields []byte) {
	s.before = append(append(s.before, fields...), s.eol...)
}

// open writes the first delimiter.
func (s *splice) open() { s.before = s.line(s.before, "--", s.boundary) }

// line appends a line of the given texts.
func (s *splice) line(dst []byte, texts ...string) []byte {
	for _, text := range texts {
		dst = append(dst, text...)
	}
	return append(dst, s.eol...)
}

// close writes the second alternative and the close delimiter. The line end that begins
// it belongs to the delimiter (RFC 2046 §5.1.1), so the last line of the leaf does not
// change. If the leaf is the whole message, a line end follows, as MTAs end messages.
//
// size is about how many bytes of text the HTML has. close returns the digest of the HTML,
// or the error of html.
func (s *splice) close(html document, size int, whole bool) (digest uint64, err error) {
	e := textEncoders.Get().(*textEncoder)
	defer textEncoders.Put(e)
	text, err := e.measure(html, size, s.eol)
	if err != nil {
		return 0, err
	}
	const fields = "Content-Type: text/html; charset=utf-8"
	s.after = make([]byte, 0, text.size+len(fields)+len("Content-Transfer-Encoding: ")+len(text.encoding)+2*len("--"+s.boundary)+len("--")+8*len(s.eol))
	s.after = s.line(s.after)
	s.after = s.line(s.after, "--", s.boundary)
	s.after = s.line(s.after, fields)
	s.after = s.line(s.after, "Content-Transfer-Encoding: ", text.encoding)
	s.after = s.line(s.after)
	if s.after, err = e.append(s.after, html, text, s.eol); err != nil {
		return 0, err
	}
	s.after = s.line(s.after)
	s.after = append(s.after, "--"+s.boundary+"--"...)
	if whole {
		s.after = s.line(s.after)
	}
	return text.digest, nil
}
