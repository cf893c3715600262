package charset

// Heads begin the lines before a file in a text, or before content that programs open.
const (
	UUHead     = "begin" // uuencode
	YEncHead   = "=ybegin "
	BinHexHead = "(This file must be converted with BinHex"
	ArmorHead  = "-----BEGIN "
)

// MayBeHead reports whether a text may begin with a head, behind blanks and quote marks. A head that the
// end of the text cuts off counts, even if nothing of it is left.
func MayBeHead(text []byte) bool {
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

// BeginsHead has the first bytes of texts for which [MayBeHead] may hold, as it reads them.
var BeginsHead = [256]bool{' ': true, '\t': true, '>': true, 'b': true, '=': true, '(': true, '-': true}
