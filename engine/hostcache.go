package engine

import (
	"strings"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/internal/recent"
)

// maxTyped is the length in octets beyond which a host as typed is no host.
// 253 octets of A-labels may stand for some 230 code points, each typed as
// up to three of three octets.
const maxTyped = 2048

// hostCacheSize is the number of hosts whose verdict is remembered. With maxTyped
// it bounds the memory of a Scanner to 2 MiB of hosts, which only an attack would
// fill.
const hostCacheSize = 1024

// A hostCache judges domain names that are not plain ASCII and remembers the
// verdicts: the processing of UTS #46 takes far longer than anything else in
// a scan, it allocates, and in mail the same few hosts come again and again.
// It may be used by several goroutines at once.
type hostCache struct{ verdicts *recent.Table[bool] }

func newHostCache() hostCache { return hostCache{recent.NewTable[bool](hostCacheSize)} }

// isValid reports whether name, as typed and without a final dot, is a valid
// domain name.
func (c hostCache) isValid(name string) bool {
	if len(name) > maxTyped {
		return false
	}
	if valid := c.verdicts.Get(name); valid != nil {
		return *valid
	}
	valid := isValidName(name)
	c.verdicts.Put(strings.Clone(name), valid)
	return valid
}

// detection is the processing of UTS #46 §4 by which hosts are links:
// non-transitional, CheckBidi, CheckJoiners, UseSTD3ASCIIRules,
// VerifyDnsLength. CheckHyphens is off because names such as
// r3---sn-4g5e6nez.example are in use and browsers open them; what is wrong
// with hyphens otherwise is checked by isValidName.
var detection = idna.New(
	idna.MapForLookup(),
	idna.Transitional(false),
	idna.BidiRule(),
	idna.CheckJoiners(true),
	idna.CheckHyphens(false),
	idna.StrictDomainName(true),
	idna.VerifyDNSLength(true),
)

// isValidName is hostCache.isValid without the cache.
func isValidName(name string) bool {
	ascii, err := detection.ToASCII(name)
	if err != nil {
		return false
	}
	unicode, err := detection.ToUnicode(ascii)
	if err != nil {
		return false
	}
	if strings.Count(unicode, ".") != strings.Count(ascii, ".") {
		return false
	}
	for label := range strings.SplitSeq(unicode, ".") {
		// UTS #46 §4.1 criteria 2 to 4. A decoded label that begins with the
		// ACE prefix is one that x/net/idna let through: "xn--" itself, or
		// the A-label of an A-label.
		if label == "" || label[0] == '-' || label[len(label)-1] == '-' || strings.HasPrefix(label, acePrefix) {
			return false
		}
	}
	// A label that is not what its U-label encodes to is no A-label
	// (UTS #46 §4, RFC 5891 §5.4).
	again, err := detection.ToASCII(unicode)
	return err == nil && again == ascii
}
