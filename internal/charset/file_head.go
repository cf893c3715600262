package charset

// Heads begin the lines before files in a text, or before a content that programs open.
const (
	UUHead     = "begin" // uuencode
	YEncHead   = "=ybegin "
	BinHexHead = "(This file must be converted with BinHex"
	ArmorHead  = "-----BEGIN "
)

// MayBeginFile reports whether what follows a line end in a text may begin with a head, behind blanks and
// quote marks. One that is cut off may.
func MayBeginFile(text []byte) bool {
	i := 0
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '>') {
		i++
	}
	if i == len(text) {
		return true
	}
	head := ""
	switch text[i] {
	case 'b':
		head = UUHead
	case '=':
		head = YEncHead
	case '(':
		head = BinHexHead
	case '-':
		head = ArmorHead
	default:
		return false
	}
	n := min(len(text)-i, len(head))
	return string(text[i:i+n]) == head[:n]
}

// BeforeFile has the first bytes of texts for which [MayBeginFile] may hold.
var BeforeFile = [256]bool{' ': true, '\t': true, '>': true, 'b': true, '=': true, '(': true, '-': true}
