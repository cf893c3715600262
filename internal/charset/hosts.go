package charset

import (
	"bytes"
	"context"
	"errors"
	"hash/maphash"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/meter"
)

// ofLanguages are the charsets that programs of other languages assume for a content that declares
// no charset, or a wrong one.
var ofLanguages = [...]string{
	"windows-1251", "koi8-u", "ibm866", "iso-8859-5", "x-mac-cyrillic", "windows-1253", "windows-1250", "windows-1254", "windows-1257",
	"shift_jis", "euc-jp", "gb18030", "big5", "euc-kr",
}

// HostLimits says which hosts of a content are passed on.
type HostLimits struct {
	IsTop func(label string) bool // whether a last label is a top-level domain
	Most  int                     // how many hosts, as written, are passed on at most
}

// ErrTooManyHosts says that a content has more hosts than are passed on.
var ErrTooManyHosts = errors.New("too many hosts")

// Hosts iterates over the hosts of URLs and addresses in a content that have non-ASCII bytes, as
// programs of other languages decode them. label is the declared charset. Hosts finds nothing if
// the content is UTF-8, or if label is a known charset other than ASCII and the UTFs. The error is
// that of ctx or [ErrTooManyHosts], and comes last.
func Hosts(ctx context.Context, label string, content []byte, limits HostLimits) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if !guessesLanguage(label) || utf8.Valid(content) {
			return
		}
		h := hosts{meter: meter.New(ctx), limits: limits, raw: make(map[uint64]bool), known: make(map[string]bool), yield: yield}
		for raw := range rawHosts(h.meter, content) {
			if !h.add(raw) {
				return
			}
		}
		if err := h.meter.Err(); err != nil {
			yield("", err)
			return
		}
		h.decode()
	}
}

// hosts passes on hosts in the charsets of other languages.
type hosts struct {
	meter  *meter.Meter
	limits HostLimits
	raw    map[uint64]bool // hashes of the hosts that were found
	lines  []byte          // hosts to decode, one on each line
	known  map[string]bool
	yield  func(string, error) bool
}

var hostSeed = maphash.MakeSeed()

// add adds a host as it is written, and reports whether the caller wants more.
func (h *hosts) add(raw []byte) bool {
	top := raw[bytes.LastIndexByte(raw, '.')+1:]
	if len(top) == len(raw) || !ascii.Is(top) || !h.limits.IsTop(string(top)) {
		return true
	}
	if hash := maphash.Bytes(hostSeed, raw); !h.raw[hash] {
		if len(h.raw) == h.limits.Most {
			if h.decode() {
				h.yield("", ErrTooManyHosts)
			}
			return false
		}
		h.raw[hash] = true
		h.lines = append(append(h.lines, raw...), '\n')
	}
	return len(h.lines) < hostBatch || h.decode()
}

const (
	// hostBatch is the number of bytes of hosts that are decoded at once.
	hostBatch = 4 << 10
	// maxKnownHosts is the number of hosts that are remembered, so that they are not passed on
	// again.
	maxKnownHosts = 1 << 12
)

// decode passes on the hosts of the lines, and reports whether the caller wants more.
func (h *hosts) decode() bool {
	if len(h.known) > maxKnownHosts {
		clear(h.known)
	}
	for _, name := range ofLanguages {
		text, err := decoderOf(name)(h.meter, h.lines)
		if err == nil {
			err = h.meter.Spend(len(h.lines))
		}
		if err != nil {
			h.yield("", err)
			return false
		}
		for host := range strings.SplitSeq(text, "\n") {
			if !isWholeHost(host) || h.known[host] {
				continue
			}
			h.known[strings.Clone(host)] = true
			if !h.yield(host, nil) {
				return false
			}
		}
	}
	h.lines = h.lines[:0]
	return true
}

// guessesLanguage reports whether programs guess the charset of a content that is not in UTF-8.
func guessesLanguage(label string) bool {
	name := looseCharset(label)
	return !IsReadable(label) || name == "us-ascii" || strings.HasPrefix(name, "utf-")
}

// isWholeHost reports whether a decoded host has no broken character and an ASCII label at its end.
// Otherwise a sign after the host of an honest URL would count as part of it.
func isWholeHost(host string) bool {
	top := host[strings.LastIndexByte(host, '.')+1:]
	return len(top) > 1 && len(top) < len(host) && ascii.Is(top) && !strings.ContainsRune(host, utf8.RuneError)
}

// maxHost is the length in bytes of the longest host that is searched for.
const maxHost = 256

// rawHosts iterates over the hosts of URLs and addresses that have non-ASCII bytes, and over such
// bare hosts. It stops when the context of t ends.
func rawHosts(t *meter.Meter, content []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for end, spent := 0, 0; ; {
			i := ascii.Prefix(content[end:])
			if t.Spend(end+i-spent) != nil || end+i == len(content) {
				return
			}
			spent = end + i
			start, last := end+i, end
			for start > max(last, end+i-maxHost) && isHostByte(content[start-1]) {
				start--
			}
			end += i
			for end < min(len(content), start+maxHost) && isHostByte(content[end]) {
				end++
			}
			host := content[start:end]
			if !endsBeforeHost(content[last:start]) {
				host = fromASCII(host)
			}
			if host = bytes.TrimRight(host, signsOfPairs+"."); !ascii.Is(host) && !yield(host) {
				return
			}
		}
	}
}

// endsBeforeHost reports whether a host follows a text: after the slashes of a URL as browsers read
// it, or after the "@" of an address.
func endsBeforeHost(text []byte) bool {
	name := bytes.TrimRight(text, `/\`)
	if slashes := len(text) - len(name); slashes > 0 {
		return slashes > 1 || bytes.HasSuffix(name, []byte(":"))
	}
	end := string(name[max(0, len(name)-len("mailto:")):])
	return strings.HasSuffix(end, "@") || ascii.HasSuffixFold(end, "http:") || ascii.HasSuffixFold(end, "https:") || ascii.HasSuffixFold(end, "mailto:")
}

// fromASCII returns a host from its "www." on, or the whole host if it begins in ASCII. Otherwise
// it returns nil, because the first character may be a sign in front of the host.
func fromASCII(host []byte) []byte {
	if i := ascii.IndexFold(host, "www."); i >= 0 {
		return host[i:]
	}
	if !ascii.IsAlphanumeric(host[0]) {
		return nil
	}
	return host
}

// signsOfPairs are ASCII signs that may be the second byte of a letter in charsets with two bytes.
const signsOfPairs = "[]^_`{|}~"

// isHostByte reports whether a host may have a byte in some charset.
func isHostByte(c byte) bool {
	return c >= utf8.RuneSelf || ascii.IsAlphanumeric(c) || c == '.' || c == '-' || strings.IndexByte(signsOfPairs, c) >= 0
}
