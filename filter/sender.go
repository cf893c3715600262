package filter

import (
	"strings"

	"github.com/emersion/go-message/mail"
)

// fromDomain returns the domain of the From field as written, in lower case; ""
// where there is not exactly one.
func fromDomain(r *reading) string {
	values := r.values("From")
	if len(values) != 1 || len(values[0]) > maxAddresses {
		return ""
	}
	list, err := mail.ParseAddressList(values[0])
	if err != nil {
		return ""
	}
	domain := ""
	for _, a := range list {
		of := strings.ToLower(a.Address[strings.LastIndexByte(a.Address, '@')+1:])
		if domain != "" && of != domain {
			return ""
		}
		domain = of
	}
	return domain
}

// maxAddresses is the length in bytes up to which a field is read as a list of addresses; in the
// whole of a longer one the links are found as in a text. Postfix takes 100 KiB (header_size_limit).
const maxAddresses = 128 << 10
