package engine

// What an octet of the text is to the scanner, as bits of octets[c].
const (
	hostOctet      = 1 << iota // ASCII letter, digit or hyphen: part of a label
	alnumOctet                 // ASCII letter or digit
	digitOctet                 // ASCII digit
	highOctet                  // part of a code point beyond ASCII
	initiatorOctet             // begins a path, query or fragment
	userinfoOctet              // may stand in the userinfo of a URL: RFC 3986 §3.2.1
	dotOctet                   // the full stop

	wordOctet = alnumOctet | highOctet // begins or ends a label
	runOctet  = hostOctet | dotOctet   // may stand in a host
)

// octets classifies every octet; one load answers several questions.
var octets = func() (t [256]uint8) {
	for c := range t {
		switch {
		case '0' <= c && c <= '9':
			t[c] = hostOctet | alnumOctet | digitOctet | userinfoOctet
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			t[c] = hostOctet | alnumOctet | userinfoOctet
		case c >= 0x80:
			t[c] = highOctet
		}
	}
	t['-'] = hostOctet
	t['.'] = dotOctet
	for _, c := range "-._~%!$&'()*+,;=:" {
		t[c] |= userinfoOctet
	}
	for _, c := range "/?#" {
		t[c] |= initiatorOctet
	}
	return t
}()

// octetAt returns the class of text[i], or 0 at the end of the text.
func (sc *scan) octetAt(i int) uint8 {
	if i < len(sc.text) {
		return octets[sc.text[i]]
	}
	return 0
}

// byteAt returns text[i], or 0 at the end of the text.
func (sc *scan) byteAt(i int) byte {
	if i < len(sc.text) {
		return sc.text[i]
	}
	return 0
}
