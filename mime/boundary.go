package mime

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// boundaryEnd ends each new boundary. Quoted-printable and base64 never contain "=_" (RFC
// 2045 §6.7), so the new parts cannot contain such a boundary.
const boundaryEnd = "=_lm"

// newBoundary returns a boundary that neither the message nor the plan contains, and that
// does not begin with a boundary of the message. The leaf determines it, so the same
// message always gets the same boundary.
func (m *Message) newBoundary(plan *Plan, leaf *Part) (string, error) {
	var buf [1 << 10]byte
	seed := m.fingerprint(buf[:0], leaf)
	for try := range 64 {
		sum := sha256.Sum256(strconv.AppendInt(seed, int64(try), 10))
		boundary := hex.EncodeToString(sum[:12]) + boundaryEnd
		if !m.holds(boundary) && !plan.holds(boundary) {
			return boundary, nil
		}
	}
	return "", refused(reasonNoBoundary, "")
}

// fingerprint appends the number, length and first bytes of a leaf, which nearly always
// differ between two leaves. It ignores the kind of line end and final line ends, so a
// message has the same fingerprint in a file and on the wire.
func (m *Message) fingerprint(seed []byte, leaf *Part) []byte {
	body := bytes.TrimRight(m.Body(leaf), "\r\n")
	size := len(body) - bytes.Count(body, carriageReturn)
	seed = append(append(seed, leaf.Number...), ' ')
	seed = append(strconv.AppendInt(seed, int64(size), 10), ' ')
	const beginning = 512
	withoutCR(body[:min(len(body), 2*beginning)], func(piece []byte) {
		seed = append(seed, piece[:min(len(piece), max(0, beginning-len(seed)))]...)
	})
	return seed
}

// holds reports whether a boundary would be ambiguous in the message.
func (m *Message) holds(boundary string) bool {
	return contains(m.Raw, boundary) || m.Root.begins(boundary)
}

// begins reports whether boundary begins with the boundary of p or of a part inside p.
func (p *Part) begins(boundary string) bool {
	return p.boundary != "" && strings.HasPrefix(boundary, p.boundary) ||
		slices.ContainsFunc(p.children, func(c *Part) bool { return c.begins(boundary) })
}

// holds reports whether the plan writes a boundary.
func (p *Plan) holds(boundary string) bool {
	return slices.ContainsFunc(p.Body, func(e Edit) bool { return contains(e.New, boundary) })
}

// contains reports whether text contains a boundary. It searches first for boundaryEnd,
// which is rarer than hexadecimal digits.
func contains(text []byte, boundary string) bool {
	return bytes.Contains(text, []byte(boundaryEnd)) && bytes.Contains(text, []byte(boundary))
}
