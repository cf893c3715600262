package policy

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/percent"
)

// defenseMark is the delimiter between scheme and host in URL Defense version 2.
const defenseMark = "-3a__"

// decodeURLDefense decodes the URL at the start of s in the form of URL Defense version 2. That
// form has "-" for the percent sign and "_" for the slash.
func decodeURLDefense(s string) string {
	return percent.DecodeMarked(strings.ReplaceAll(percent.Decode(beforeNext(s)), "_", "/"), '-')
}

// isDefenseURL reports whether s begins like a URL in that form. Read as a host, it would seem to end at the
// last dot of that URL.
func isDefenseURL(s string) bool {
	return ascii.HasPrefixFold(s, "https"+defenseMark) || ascii.HasPrefixFold(s, "http"+defenseMark)
}

// isDefenseScheme reports whether s ends with the scheme of a URL of URL Defense version 3. Slashes after it do
// not count: mail servers that merge slashes leave one, and asterisks may stand for them.
func isDefenseScheme(s string) bool {
	return strings.HasSuffix(s, "/__https") || strings.HasSuffix(s, "/__http")
}

// defenseTokens returns the URL of URL Defense version 3 with the characters that its asterisks
// stand for. s is the rest of the wrapped URL. It ends with "__;", the replaced characters in
// base64, and "!". An asterisk stands for one of these characters. Two asterisks and a letter stand
// for as many as the letter says.
func defenseTokens(s string) string {
	url, rest, _ := strings.Cut(s, "__;")
	coded, _, ok := strings.Cut(rest, "!")
	characters, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(coded, "="))
	if !ok || err != nil {
		return url
	}
	var b strings.Builder
	for i := 0; i < len(url); i++ {
		if url[i] != '*' {
			b.WriteByte(url[i])
			continue
		}
		count := 1
		if i+2 < len(url) && url[i+1] == '*' {
			count = 2 + strings.IndexByte(base64Alphabet, url[i+2])
			i += 2
		}
		for ; count > 0 && len(characters) > 0; count-- {
			_, size := utf8.DecodeRune(characters)
			b.Write(characters[:size])
			characters = characters[size:]
		}
	}
	return b.String()
}

// base64Alphabet has the letters that URL Defense writes for the numbers from 2 on.
const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
