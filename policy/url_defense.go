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

// isDefenseURL reports whether s begins as a URL in that form does. As a host it would end at the
// last dot of the URL.
func isDefenseURL(s string) bool {
	return ascii.HasPrefixFold(s, "https"+defenseMark) || ascii.HasPrefixFold(s, "http"+defenseMark)
}

// isDefenseScheme reports whether s ends with the scheme of a URL of URL Defense version
// 3. Mail servers that join slashes leave one of the two behind it, and asterisks may stand
// for them.
func isDefenseScheme(s string) bool {
	return strings.HasSuffix(s, "/__https") || strings.HasSuffix(s, "/__http")
}

// defenseTokens returns the URL of URL Defense version 3 with the characters that its asterisks
// stand for. The rest of the wrapped URL is s. It ends with "__;", the characters in base64 and
// "!". An asterisk stands for one of them, two with a letter behind for as many as the letter
// says.
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
