package mime

import (
	"encoding/base64"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

func isBase64(c byte) bool { return ascii.IsAlphanumeric(c) || c == '+' || c == '/' }

// base64Digits returns the digits of a body. With forURLs also "-" and "_" are digits. It
// ends where the context of t does.
func base64Digits(t *meter, body []byte, forURLs bool) []byte {
	digits := make([]byte, 0, len(body))
	for i, c := range body {
		if i%checkEvery == checkEvery-1 && t.spend(checkEvery) != nil {
			break
		}
		switch {
		case isBase64(c):
			digits = append(digits, c)
		case forURLs && c == '-':
			digits = append(digits, '+')
		case forURLs && c == '_':
			digits = append(digits, '/')
		}
	}
	return digits
}

// rawBase64 decodes digits without an incomplete last byte.
func rawBase64(digits []byte) []byte {
	if len(digits)%4 == 1 {
		digits = digits[:len(digits)-1]
	}
	decoded := make([]byte, base64.RawStdEncoding.DecodedLen(len(digits)))
	n, _ := base64.RawStdEncoding.Decode(decoded, digits) // digits only: cannot go wrong
	return decoded[:n]
}
