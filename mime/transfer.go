package mime

import (
	"bytes"
	"encoding/base64"
)

// Content returns the body of p with its transfer encoding removed. For 7bit,
// 8bit and binary that is a part of Raw itself. The error is an
// [UnreadableError]; a broken encoding is never repaired.
func (m *Message) Content(p *Part) ([]byte, error) {
	body := m.Raw[p.BodyStart:p.End]
	switch p.Encoding {
	case "7bit", "8bit", "binary":
		return body, nil
	case "quoted-printable":
		return decodeQuotedPrintable(body)
	case "base64":
		return decodeBase64(body)
	}
	return nil, unreadable(ReasonUnknownEncoding, "%q", p.Encoding)
}

// decodeBase64 decodes RFC 2045 §6.8. White space is passed over; any other octet
// outside the alphabet, data behind the padding and missing padding are errors.
func decodeBase64(body []byte) ([]byte, error) {
	if bytes.ContainsAny(body, " \t") {
		compact := make([]byte, 0, len(body))
		for _, c := range body {
			if c != ' ' && c != '\t' {
				compact = append(compact, c)
			}
		}
		body = compact
	}
	decoded := make([]byte, base64.StdEncoding.DecodedLen(len(body)))
	n, err := base64.StdEncoding.Decode(decoded, body)
	if err != nil {
		return nil, unreadable(ReasonInvalidBase64, "%v", err)
	}
	return decoded[:n], nil
}

// decodeQuotedPrintable decodes RFC 2045 §6.7. White space at the end of a line
// is removed (rule 3) and hexadecimal digits may be in lower case; an "=" that
// begins neither an octet nor a soft line break, and octets that may not stand
// unencoded, are errors. The standard library's reader takes both as they are.
func decodeQuotedPrintable(body []byte) ([]byte, error) {
	decoded := make([]byte, 0, len(body))
	for len(body) > 0 {
		end := lineEnd(body, 0)
		content := trimLineEnd(body[:end])
		ending := body[len(content):end]
		body = body[end:]
		content = bytes.TrimRight(content, " \t")
		soft := bytes.HasSuffix(content, []byte("="))
		if soft {
			content = content[:len(content)-1]
		}
		var err error
		if decoded, err = appendQuoted(decoded, content); err != nil {
			return nil, err
		}
		if !soft {
			decoded = append(decoded, ending...)
		}
	}
	return decoded, nil
}

// appendQuoted appends the octets that one line of quoted-printable encodes.
func appendQuoted(dst, line []byte) ([]byte, error) {
	for len(line) > 0 {
		i := bytes.IndexByte(line, '=')
		if i < 0 {
			i = len(line)
		}
		for _, c := range line[:i] {
			if c > '~' {
				return nil, unreadable(ReasonInvalidQuotedPrintable, "octet 0x%02x", c)
			}
		}
		dst = append(dst, line[:i]...)
		line = line[i:]
		if len(line) == 0 {
			break
		}
		if len(line) < 3 {
			return nil, unreadable(ReasonInvalidQuotedPrintable, "%q", line)
		}
		high, low := unhex(line[1]), unhex(line[2])
		if high < 0 || low < 0 {
			return nil, unreadable(ReasonInvalidQuotedPrintable, "%q", line[:3])
		}
		dst = append(dst, byte(high<<4|low))
		line = line[3:]
	}
	return dst, nil
}

// unhex returns the value of a hexadecimal digit, or -1.
func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}
