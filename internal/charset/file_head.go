package charset

// Heads begin the lines before a file in a text, or before content that programs open.
const (
	UUHead     = "begin" // uuencode
	YEncHead   = "=ybegin "
	BinHexHead = "(This file must be converted with BinHex"
	ArmorHead  = "-----BEGIN "
)
