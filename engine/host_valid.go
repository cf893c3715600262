package engine

import (
	"net/netip"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/recent"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// hostRules say which texts are hosts. Only the cache of names in them changes.
type hostRules struct {
	strict bool     // Options.Strict
	tlds   *tld.Set // the top-level domains
	names  nameCache
	opened *recent.Table[opened] // whether browsers open the whole authority after a host: see opens
}

func newHostRules(tlds *tld.Set, strict bool) hostRules {
	return hostRules{strict: strict, tlds: tlds, names: newNameCache(), opened: recent.NewTable[opened](nameCacheSize)}
}

// hostClasses has a bit for each class of characters that a host may have. UTS #46 allows
// quotes and dashes that IDNA2008 does not: in texts they are beside hosts, and end them.
const hostClasses = uint(1<<ucd.HostValid | 1<<ucd.HostMapped | 1<<ucd.HostIgnored | 1<<ucd.HostSeparator | 1<<ucd.HostSymbol)

// isInHost reports whether a host may have the character r.
func (h *hostRules) isInHost(r rune) bool { return hostClasses>>ucd.HostClassOf(r)&1 != 0 }

// The limits of RFC 1035 §2.3.4, in bytes of the ASCII form.
const (
	maxLabel = 63
	maxName  = 253
)

// acePrefix begins an A-label (RFC 5890 §2.3.2.5).
const acePrefix = "xn--"

// A hostJudge judges the names in one text.
type hostJudge struct {
	*hostRules

	// The latest name that is not plain ASCII, with its ASCII form: see asciiOf.
	name, ascii string
}

// isDomain reports whether name, without a final dot, is a valid domain name. It follows UTS #46,
// non-transitional with CheckBidi and CheckJoiners. No label is empty or has a hyphen at an end, and
// the A-labels keep the limits of RFC 1035.
func (j *hostJudge) isDomain(name string) bool {
	if isPlainDomain(name) {
		return true
	}
	label := 0 // where it begins
	for i := range len(name) {
		c := name[i]
		if byteClass[c]&alnumByte != 0 {
			continue
		}
		switch {
		case c >= utf8.RuneSelf:
			return j.isOtherDomain(name)
		case c == '.':
			if !isLabel(name[label:i]) {
				return false
			}
			label = i + 1
		case i == label+3 && strings.EqualFold(name[label:i+1], acePrefix):
			return j.isOtherDomain(name)
		}
	}
	return isLabel(name[label:]) && len(name) <= maxName
}

// isUnderscored is isDomain for a name with underscores, as browsers see it. Only ASCII labels may have
// them (RFC 5890 §2.3.2.1).
func (j *hostJudge) isUnderscored(name string) bool {
	ascii, err := hostToASCII(name)
	if err != nil || len(ascii) > maxName {
		return false
	}
	if name != ascii {
		j.name, j.ascii = name, ascii
	}
	for label := range strings.SplitSeq(ascii, ".") {
		if !isLabel(label) || hasACE(label) && strings.IndexByte(label, '_') >= 0 {
			return false
		}
	}
	return true
}

// isOtherDomain is isDomain for a name with non-ASCII characters or an A-label.
func (j *hostJudge) isOtherDomain(name string) bool {
	ascii, ok := j.names.judge(name)
	j.name, j.ascii = name, ascii
	return ok
}

// asciiOf returns the ASCII form of a host that was just found, if isDomain computed it, otherwise "".
func (j *hostJudge) asciiOf(host string) string {
	if host == j.name {
		return j.ascii
	}
	return ""
}

// isLabel reports whether s, which has only ASCII letters, digits and hyphens, is a valid label.
func isLabel(s string) bool {
	return s != "" && len(s) <= maxLabel && s[0] != '-' && s[len(s)-1] != '-'
}

// The kinds of bytes in a plain name. If two neighbours have a common bit, the name needs a closer
// look: a dot next to a dot or hyphen, or two hyphens, which may be those of an A-label.
const (
	alnumKind  uint8 = 0b0000
	hyphenKind uint8 = 0b0001
	dotKind    uint8 = 0b0011
	endKind    uint8 = 0b0100 // not part of a host
	highKind   uint8 = 0b1000 // part of a non-ASCII code point
)

// byteKind has the kind of each byte.
var byteKind = func() (t [256]uint8) {
	for c := range t {
		switch {
		case byteClass[c]&highByte != 0:
			t[c] = highKind
		case byteClass[c]&alnumByte == 0:
			t[c] = endKind
		}
	}
	t['-'], t['.'] = hyphenKind, dotKind
	return t
}()

// isPlainDomain is the fast path of isDomain. It returns true only for valid ASCII names, but not for
// all of them. The loop has no branches, because a processor would predict them wrongly at each label.
func isPlainDomain(name string) bool {
	if len(name) > maxLabel {
		return false
	}
	before, doubt := dotKind, uint8(0)
	for _, c := range []byte(name) {
		k := byteKind[c]
		doubt |= before&k | k&^dotKind
		before = k
	}
	return doubt|before == 0
}

// maxTyped is the length in bytes beyond which a host as typed is refused. 253
// bytes of A-labels may be some 230 code points, each typed as up to three code
// points of three bytes.
const maxTyped = 2048

// nameCacheSize is the number of names in a nameCache. With maxTyped it bounds
// the memory of a Scanner to some 2 MiB of names, which only an attack would fill.
const nameCacheSize = 1024

// A nameCache caches which domain names with non-ASCII characters or A-labels are valid. UTS #46 takes
// longer than the rest of a scan and allocates, and mail repeats the same few hosts. Several goroutines
// may use it at once.
type nameCache struct{ names *recent.Table[judgedName] }

// A judgedName is what the cache holds about a name.
type judgedName struct {
	valid bool
	ascii string // its ASCII form, as hostToASCII returns it, or ""
}

func newNameCache() nameCache { return nameCache{recent.NewTable[judgedName](nameCacheSize)} }

// judge reports whether name, as typed and without a final dot, is a valid domain
// name, and returns its ASCII form.
func (c nameCache) judge(name string) (ascii string, ok bool) {
	if len(name) > maxTyped {
		return "", false
	}
	if known := c.names.Get(name); known != nil {
		return known.ascii, known.valid
	}
	name = strings.Clone(name) // a slice would keep the whole text in memory
	var judged judgedName
	if judged.ascii, judged.valid = validName(name); endsInNumber(judged.ascii) {
		judged.ascii = "" // hostToASCII reads it as an IPv4 address
	}
	c.names.Put(name, judged)
	return judged.ascii, judged.valid
}

// endsInNumber reports whether the last label is a number, so that the host must be
// an IPv4 address (WHATWG URL, ends in a number checker).
func endsInNumber(name string) bool {
	name = strings.TrimSuffix(name, ".")
	last := name[strings.LastIndexByte(name, '.')+1:]
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	digits, isHex := strings.CutPrefix(last, "0x")
	return isHex && strings.Trim(digits, "0123456789abcdef") == ""
}

// detection is the processing of UTS #46 §4 for hosts in a text: non-transitional,
// CheckBidi, CheckJoiners, UseSTD3ASCIIRules, VerifyDnsLength. CheckHyphens is off
// because browsers open names in use such as r3---sn-4g5e6nez.example;
// validName checks hyphens at the ends.
var detection = idna.New(
	idna.MapForLookup(),
	idna.Transitional(false),
	idna.BidiRule(),
	idna.CheckJoiners(true),
	idna.CheckHyphens(false),
	idna.StrictDomainName(true),
	idna.VerifyDNSLength(true),
)

// validName reports whether name is a valid domain name, and returns its ASCII form.
func validName(name string) (ascii string, ok bool) {
	ascii, err := detection.ToASCII(name)
	if err != nil {
		return "", false
	}
	unicode, err := detection.ToUnicode(ascii)
	if err != nil {
		return "", false
	}
	if strings.Count(unicode, ".") != strings.Count(ascii, ".") {
		return "", false
	}
	for label := range strings.SplitSeq(unicode, ".") {
		// UTS #46 §4.1 criteria 2 to 4. x/net/idna accepts "xn--" and the A-label
		// of an A-label: they decode to a label that begins with the ACE prefix.
		if label == "" || label[0] == '-' || label[len(label)-1] == '-' || strings.HasPrefix(label, acePrefix) {
			return "", false
		}
	}
	// An A-label must be the encoding of its U-label (UTS #46 §4, RFC 5891 §5.4).
	again, err := detection.ToASCII(unicode)
	return ascii, err == nil && again == ascii
}

// isIPv4 reports whether s is an IPv4 address in the only notation that means the
// same to all programs: four decimal numbers of 0 to 255 without leading zeros.
// Other notations that browsers accept are suspects (WHATWG URL, IPv4 parser).
func isIPv4(s string) bool {
	if len(s) > len("255.255.255.255") {
		return false
	}
	numbers := 0
	for number := range strings.SplitSeq(s, ".") {
		if number == "" || len(number) > 3 || number[0] == '0' && len(number) > 1 {
			return false
		}
		n := 0
		for _, c := range []byte(number) {
			if c < '0' || c > '9' {
				return false
			}
			n = n*10 + int(c-'0')
		}
		if n > 255 {
			return false
		}
		numbers++
	}
	return numbers == 4
}

// maxIPv6 is the length in bytes of the longest IPv6 address.
const maxIPv6 = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")

// isIPv6Byte reports whether an IPv6 address may have the byte c.
func isIPv6Byte(c byte) bool { return c == ':' || c == '.' || ascii.IsHex(c) }

// isIPv6 reports whether s is an IPv6 address without brackets and zone (RFC 4291 §2.2).
func isIPv6(s string) bool {
	if len(s) > maxIPv6 || !strings.Contains(s, ":") {
		return false // saves the allocation of an error
	}
	address, err := netip.ParseAddr(s)
	return err == nil && address.Zone() == ""
}

// bracketedIPv6 returns the end of the IPv6 address in brackets that begins at the
// offset a with "[".
func bracketedIPv6(text string, a int) (end int, ok bool) {
	i := ipv6End(text, a+1)
	if byteAt(text, i) != ']' || !isIPv6(text[a+1:i]) {
		return 0, false
	}
	return i + 1, true
}

// bareIPv6 returns the end of the IPv6 address without brackets at the offset a (adjustment "bare
// IPv6").
func bareIPv6(text string, a int) (end int, ok bool) {
	i := ipv6End(text, a)
	if classAt(text, i)&labelByte != 0 {
		return 0, false
	}
	// A final dot or colon belongs to the sentence.
	if i > a && (text[i-1] == '.' || text[i-1] == ':') && !isIPv6(text[a:i]) {
		i--
	}
	return i, i > a+len("::") && isIPv6(text[a:i])
}

// ipv6End returns the end of the bytes at the offset a that an IPv6 address may have, up to the length
// of the longest one.
func ipv6End(text string, a int) int {
	i := a
	for i < len(text) && i-a <= maxIPv6 && isIPv6Byte(text[i]) {
		i++
	}
	return i
}
