package filter_test

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// Object identifiers of CMS (RFC 5652 §4 and §5, RFC 3274 §1.1) in DER.
const (
	oidData       = "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01"
	oidSigned     = "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
	oidEnveloped  = "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03"
	oidCompressed = "\x06\x0b\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x01\x09"
	oidZlib       = "\x06\x0b\x2a\x86\x48\x86\xf7\x0d\x01\x09\x10\x03\x08"
)

// wrapper writes CMS, with lengths of any form.
type wrapper struct{ *rand.Rand }

// element returns an element with a definite length or, if it is constructed, with an
// indefinite one.
func (w wrapper) element(tag byte, contents ...string) string {
	body := strings.Join(contents, "")
	if tag&0x20 != 0 && w.IntN(2) == 0 {
		return string([]byte{tag, 0x80}) + body + "\x00\x00"
	}
	n := len(body)
	if n < 0x80 && w.IntN(2) == 0 {
		return string([]byte{tag, byte(n)}) + body
	}
	return string([]byte{tag, 0x83, byte(n >> 16), byte(n >> 8), byte(n)}) + body
}

// octets returns an octet string, as a whole or in pieces of any length.
func (w wrapper) octets(content string) string {
	if w.IntN(3) == 0 {
		return w.element(0x04, content)
	}
	size := 1 + w.IntN(60)
	var pieces []string
	for piece := range slices.Chunk([]byte(content), size) {
		pieces = append(pieces, w.element(0x04, string(piece)))
	}
	return w.element(0x24, pieces...)
}

func (w wrapper) signed(content string) string {
	algorithm := w.element(0x30, "\x06\x05\x2b\x0e\x03\x02\x1a", "\x05\x00")
	return w.element(0x30, oidSigned, w.element(0xA0, w.element(0x30, "\x02\x01\x01", w.element(0x31, algorithm),
		w.element(0x30, oidData, w.element(0xA0, w.octets(content))),
		w.element(0x31, w.element(0x30, "\x02\x01\x01", algorithm, w.element(0x04, strings.Repeat("\xaa", 128)))))))
}

func (w wrapper) compressed(content string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write([]byte(content))
	_ = z.Close()
	return w.element(0x30, oidCompressed, w.element(0xA0, w.element(0x30, "\x02\x01\x00", w.element(0x30, oidZlib),
		w.element(0x30, oidData, w.element(0xA0, w.octets(b.String()))))))
}

// enveloped returns data that are encrypted, with the key of a recipient.
func (w wrapper) enveloped(ciphertext string) string {
	algorithm := w.element(0x30, "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01", "\x05\x00")
	recipient := w.element(0x30, "\x02\x01\x02", "\x80\x04abcd", algorithm, w.element(0x04, strings.Repeat("\x55", 128)))
	return w.element(0x30, oidEnveloped, w.element(0xA0, w.element(0x30, "\x02\x01\x02", w.element(0x31, recipient),
		w.element(0x30, oidData, algorithm, w.element(0xA0, w.element(0x04, ciphertext))))))
}

// entity returns a message that holds the planted link.
func (w wrapper) entity() string {
	encoded := base64.StdEncoding.EncodeToString([]byte("<a href='" + planted + "'>x</a>"))
	return []string{
		"Content-Type: text/plain\r\n\r\nsee " + planted,
		"Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n" + encoded,
		"Content-Transfer-Encoding: base64\r\nContent-Type: text/html\r\n\r\n" + encoded,
		"MIME-Version: 1.0\r\nSubject: x\r\nContent-Type: text/html\r\n\r\n<a href=" + planted + ">x</a>",
		"\r\nsee " + planted,
		"Content-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte("see "+planted)),
	}[w.IntN(6)]
}

// TestWrappedMessagesAreRead varies CMS that signs or compresses a message: its lengths,
// the pieces of its octet strings, its media type and its name.
func TestWrappedMessagesAreRead(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for seed := range uint64(3000) {
		w := wrapper{rand.New(rand.NewPCG(seed, 11))}
		content := w.entity()
		for range 1 + w.IntN(3) {
			wrap := w.signed
			if w.IntN(3) == 0 {
				wrap = w.compressed
			}
			content = "Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
				base64.StdEncoding.EncodeToString([]byte(wrap(content)))
		}
		_, encoded, _ := strings.Cut(content, "\r\n\r\n")
		fields := []string{
			"application/pkcs7-mime; smime-type=signed-data; name=smime.p7m", "application/x-pkcs7-mime",
			"application/octet-stream; name=smime.p7m", "application/pkcs7-mime; smime-type=enveloped-data",
			"application/pkcs7-mime; smime-type=compressed-data; name=smime.p7z", "application/octet-stream; name=\"smime.p7z\"",
		}[w.IntN(6)]
		raw := beside("Content-Type: "+fields+"\r\nContent-Transfer-Encoding: base64", encoded)
		if result := f.Scan(raw); !finds(result) {
			t.Fatalf("%d: %s\n%s", seed, result, raw)
		}
	}
}

// TestEncryptedMessagesAreOpaque: the content of an encrypted message is opaque; the encrypted key
// of a recipient is no content.
func TestEncryptedMessagesAreOpaque(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for seed := range uint64(200) {
		w := wrapper{rand.New(rand.NewPCG(seed, 13))}
		fields, body := inBase64("Content-Type: application/pkcs7-mime; name=smime.p7m", w.enveloped(strings.Repeat("\xc3\x28", 200)))
		result := f.Scan(beside(fields, body))
		if !slices.ContainsFunc(result.Findings, func(f policy.Finding) bool { return f.Code == report.CodeOpaque && f.Detail == "encrypted" }) {
			t.Fatalf("%d: %s, findings %v", seed, result, result.Findings)
		}
	}
}

// TestInflatedContentIsBounded: a compressed message of zeros takes no more memory than its limit.
func TestInflatedContentIsBounded(t *testing.T) {
	w := wrapper{rand.New(rand.NewPCG(1, 1))}
	fields, body := inBase64("Content-Type: application/pkcs7-mime", w.compressed("\r\n"+strings.Repeat("\x00", 64<<20)))
	raw := beside(fields, body)
	f := newFilter(t, filter.Options{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f.Scan(raw)
	runtime.ReadMemStats(&after)
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 100 {
		t.Errorf("%d KiB of message took %d MiB", len(raw)>>10, used)
	}
}
