package mime

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// boundaryEnd ends the boundaries that we pick. "=_" stands in no
// quoted-printable and in no base64 (RFC 2045 §6.7), so what we add cannot hold
// them.
const boundaryEnd = "=_lm"

// newBoundary returns a boundary that occurs neither in the message nor in what
// the plan adds to it, and that no boundary of the message begins. It follows from
// the leaf, so that a message always gets the same one.
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
	return "", refused(ReasonNoBoundary, "")
}

// fingerprint appends what nearly always differs between two leaves: number,
// length and beginning. Line ends are normalised and final ones left out: a message
// has the same one in a file and on the wire.
func (m *Message) fingerprint(seed []byte, leaf *Part) []byte {
	body := bytes.TrimRight(m.body(leaf), "\r\n")
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

// begins reports whether boundary begins with that of p or of a part in p.
func (p *Part) begins(boundary string) bool {
	return p.boundary != "" && strings.HasPrefix(boundary, p.boundary) ||
		slices.ContainsFunc(p.Children, func(c *Part) bool { return c.begins(boundary) })
}

// holds reports whether a boundary stands in what the plan writes.
func (p *Plan) holds(boundary string) bool {
	return slices.ContainsFunc(p.Body, func(e Edit) bool { return contains(e.New, boundary) })
}

// contains reports whether text holds a boundary. Hexadecimal digits are
// everywhere, what ends a boundary is not: that is looked for first.
func contains(text []byte, boundary string) bool {
	return bytes.Contains(text, []byte(boundaryEnd)) && bytes.Contains(text, []byte(boundary))
}
