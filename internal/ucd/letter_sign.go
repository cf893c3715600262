package ucd

// LetterOfSign returns the lower-case ASCII letter that a sign or Latin small capital shows,
// otherwise r: "a" for U+249C, U+1F170 and U+1D00. Unicode does not say that these look like
// letters (UTS #39 §4), and compatibility normalisation does not change most of them.
func LetterOfSign(r rune) rune {
	if r < 0x0250 {
		return r
	}
	for _, first := range [...]rune{
		0x249c,  // in parentheses
		0x1f110, // in parentheses, upper case
		0x1f150, // in a black circle
		0x1f170, // in a black square
		0x1f1e6, // regional indicators, which make flags
	} {
		if first <= r && r < first+26 {
			return 'a' + r - first
		}
	}
	if letter, ok := smallCapitals[r]; ok {
		return letter
	}
	return r
}

// smallCapitals has the small capitals of the Latin script. Unicode has none for "x".
var smallCapitals = func() map[rune]rune {
	letters := make(map[rune]rune)
	for i, r := range []rune("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ") {
		if r != 'x' {
			letters[r] = 'a' + rune(i)
		}
	}
	return letters
}()
