// Package filekind says what a file is by its first bytes.
package filekind

import (
	"bytes"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/stream"
)

// Kinds of content that linkmilter does not read: Encrypted for content that only its reader
// can open, Archive for compressed content, Office for documents, Script for programs,
// which may open any URL, and Binary for other content that is not text.
const (
	Encrypted = "encrypted"
	Archive   = "archive"
	Office    = "office"
	Script    = "script"
	Binary    = "binary"
)

// magic are the bytes with which files of a kind begin.
var magic = []struct{ kind, start string }{
	{"pdf", "%PDF"},
	{Archive, "PK\x03\x04"},
	{Archive, stream.GzipMagic},
	{Archive, "Rar!"},
	{Archive, "7z\xbc\xaf"},
	{Office, "\xd0\xcf\x11\xe0"},
	{"image", "\x89PNG"},
	{"image", "GIF8"},
	{"image", "\xff\xd8\xff"},
	{Office, "\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d"}, // OneNote
	{Archive, "\x28\xb5\x2f\xfd"},                // Zstandard
	{Archive, "!<arch>"},
	{Archive, "BZh"},
	{Archive, "\xfd7zXZ"},
	{Archive, "MSCF"},
	{Encrypted, "age-encryption.org/"},
	{Encrypted, "-----BEGIN PGP MESSAGE"},
}

// Of returns the kind of a content by its first bytes, or "".
func Of(head []byte) string {
	for _, m := range magic {
		if bytes.HasPrefix(head, []byte(m.start)) {
			return m.kind
		}
	}
	return ""
}

// IsTNEF reports whether a content begins as TNEF, which programs open whatever its file name is.
func IsTNEF(head []byte) bool { return bytes.HasPrefix(head, []byte("\x78\x9f\x3e\x22")) }

// HoldsPDF reports whether a content that is text by its first bytes has the head of a PDF or FDF
// further on, where programs find it, too.
func HoldsPDF(head []byte) bool {
	return bytes.Contains(head, []byte("%PDF-")) || bytes.Contains(head, []byte("%FDF-"))
}

// Start returns a content without the bytes in front of it that programs ignore.
func Start(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n\f")
}

// IsRTF reports whether a content begins as rich text, in as few bytes as Word needs.
func IsRTF(start []byte) bool { return bytes.HasPrefix(start, []byte(`{\rt`)) }

// IsCalendar reports whether a content begins as an iCalendar, vCard or LDIF.
func IsCalendar(start string) bool {
	return ascii.HasPrefixFold(start, "BEGIN:V") || ascii.HasPrefixFold(start, "dn:") || ascii.HasPrefixFold(start, "version:") && strings.Contains(strings.ToLower(start), "\ndn:")
}

// IsMarkup reports whether a content begins as HTML or XML.
func IsMarkup(start []byte) bool {
	for _, prefix := range []string{
		"<!doctype", "<html", "<head", "<body", "<svg", "<script", "<meta", "<title", "<?xml", "<!--", "<a ", "<table", "<div", "<p", "<iframe", "<form", "<style", "<b", "<img", "<h1",
	} {
		if ascii.HasPrefixFold(string(start[:min(len(start), len(prefix))]), prefix) {
			return true
		}
	}
	return false
}

// IsHeader reports whether a content begins with one of the fields with which messages begin.
func IsHeader(start []byte) bool {
	for _, prefix := range []string{
		"Received:", "Return-Path:", "Delivered-To:", "From:", "To:", "Subject:", "Date:", "MIME-Version:", "Message-ID:", "Content-Type:", "DKIM-Signature:", "X-",
		"Reply-To:", "Sender:", "Envelope-To:", "ARC-", "Authentication-Results:", "Newsgroups:", "Path:", "Xref:",
	} {
		if ascii.HasPrefixFold(string(start[:min(len(start), len(prefix))]), prefix) {
			return true
		}
	}
	return false
}

// MessageLine begins the line before each message of a mailbox.
const MessageLine = "From "

// IsMailbox reports whether a content begins as a mailbox: with MessageLine and a message.
func IsMailbox(start []byte) bool {
	_, message, _ := bytes.Cut(start, []byte("\n"))
	return bytes.HasPrefix(start, []byte(MessageLine)) && IsHeader(message)
}

// HasWideMark reports whether a content begins with the byte order mark of UTF-16 or UTF-32.
func HasWideMark(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) || bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff"))
}

// MayBeText reports whether a content is text in some charset, judged by its first bytes: they have
// few controls, or NULs only where characters of UTF-16 or UTF-32 have them.
func MayBeText(head []byte) bool {
	controls, nul := 0, [4]int{}
	for i, c := range head {
		switch {
		case c == 0:
			nul[i%4]++
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\x1b':
			controls++
		}
	}
	all := nul[0] + nul[1] + nul[2] + nul[3]
	isWide := slices.Min(nul[:])*50 <= len(head)/4 && all*3 >= len(head) && all*8 <= len(head)*7
	return controls*50 <= len(head) && (all*50 <= len(head) || isWide)
}
