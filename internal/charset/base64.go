package charset

import (
	"encoding/base64"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/meter"
)

// IsBase64 reports whether c is a digit of base64 (RFC 4648 §4).
func IsBase64(c byte) bool { return ascii.IsAlphanumeric(c) || c == '+' || c == '/' }

// Base64Digits returns the digits of a body. With forURLs, "-" and "_" are digits, too. It stops
// when the context of t ends.
func Base64Digits(t *meter.Meter, body []byte, forURLs bool) []byte {
	digits := make([]byte, 0, len(body))
	for i, c := range body {
		if i%meter.Every == meter.Every-1 && t.Spend(meter.Every) != nil {
			break
		}
		switch {
		case IsBase64(c):
			digits = append(digits, c)
		case forURLs && c == '-':
			digits = append(digits, '+')
		case forURLs && c == '_':
			digits = append(digits, '/')
		}
	}
	return digits
}

// RawBase64 decodes digits without an incomplete last byte.
func RawBase64(digits []byte) []byte {
	if len(digits)%4 == 1 {
		digits = digits[:len(digits)-1]
	}
	decoded := make([]byte, base64.RawStdEncoding.DecodedLen(len(digits)))
	n, _ := base64.RawStdEncoding.Decode(decoded, digits) // the input has digits only, so there is no error
	return decoded[:n]
}
