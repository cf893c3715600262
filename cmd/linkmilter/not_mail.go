package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/filekind"
)

// foldersAside are folders in which mail programs keep other files than messages, or copies for
// searches.
var foldersAside = []string{".notmuch", "xapian", ".xapian", ".imap", "courierimapkeywords", "courierimaphieracl", ".claws-mail", "fts-flatcurve", "lucene-indexes"}

// endsOfFilesAside are ends of file names, in lower case, of files that are not messages.
var endsOfFilesAside = []string{
	// Thunderbird and its profile
	".msf", ".dat", ".js", ".json", ".jsonlz4", ".mozlz4", ".ini", ".sqlite", ".sqlite-wal", ".sqlite-shm", ".mab", ".rdf", ".css", ".xpi", ".jar", ".xhtml", ".wdseml", ".mozeml",
	"filterlog.html", "pkcs11.txt", "sitesecurityservicestate.txt", "alternateservices.txt", "securitypreloadstate.txt",
	// Evolution
	".cmeta", ".ev-summary", ".ev-summary-meta", ".ibex.index", ".ibex.index.data", ".ibex", ".source",
	// KMail, Apple Mail, Windows
	".index", ".index.ids", ".index.sorted", ".uidcache", ".plist", ".ds_store", "table_of_contents", ".emlxpart", "thumbs.db", ".directory",
	// databases, locks and copies of editors
	".db", ".db-wal", ".db-shm", ".db-journal", ".sqlite-journal", ".lock", ".lck", ".tmp", ".log", ".pid", ".sieve", ".svbin", ".mdb", ".tdb", ".hcache",
}

// beginsOfFilesAside are the beginnings of such names.
var beginsOfFilesAside = []string{
	"dovecot", ".dovecot", "cyrus.", "courierimap", "courierpop3", "maildirfolder", "maildirsize", "subscriptions", ".subscriptions", ".mailboxlist",
	"envelope index", "nstmp", ".mh_", ".xmhcache", ".sylpheed", ".claws", ".mbsyncstate", ".uidvalidity", ".isyncuidmap", ".isync", ".offlineimap",
	".overview", ".marks", ".nntp", ".newsrc", ".nfs", ".folders", ".uw-imap", ".qmail", ".procmail", ".forward", ".gitignore",
}

// isAside reports whether the name and the first bytes of a file show that it is not a message, but
// an index, a summary or a cache that a mail program keeps beside messages. Files that look like
// mail are messages under any name.
func isAside(name string, head []byte) bool {
	if beginsAsMail(head) {
		return false
	}
	base := strings.ToLower(filepath.Base(name))
	if slices.ContainsFunc([]string{".eml", ".emlx", ".mbox", ".mbx", ".msg"}, func(end string) bool { return strings.HasSuffix(base, end) }) {
		return false
	}
	hasEnd := func(end string) bool { return strings.HasSuffix(base, end) }
	hasBegin := func(begin string) bool { return strings.HasPrefix(base, begin) }
	return len(head) == 0 || slices.ContainsFunc(endsOfFilesAside, hasEnd) || slices.ContainsFunc(beginsOfFilesAside, hasBegin) || isDatabase(head)
}

// beginsAsMail reports whether a file begins with a field of a header, or as an mbox.
func beginsAsMail(head []byte) bool {
	if isMbox(head) || filekind.IsHeader(head) {
		return true
	}
	line, _, _ := bytes.Cut(head, []byte("\n"))
	name, value, found := bytes.Cut(line, []byte(":"))
	name = bytes.TrimRight(name, " \t")
	isName := len(name) > 0 && ascii.IsAlphanumeric(name[0]) && !bytes.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' })
	return found && isName && !bytes.HasPrefix(value, []byte("//")) && !bytes.ContainsRune(line, 0)
}

// isDatabase reports whether a file is a database or a document of a program by its first
// bytes.
func isDatabase(head []byte) bool {
	for _, begin := range []string{"SQLite format 3\x00", "// <!-- <mdb:mork", "bplist00", "mozLz40\x00"} {
		if bytes.HasPrefix(head, []byte(begin)) {
			return true
		}
	}
	start := filekind.Start(head)
	switch {
	case ascii.HasPrefixFold(string(start[:min(len(start), 5)]), "<?xml"):
		return bytes.Contains(head, []byte("<!DOCTYPE plist"))
	case len(start) > 0 && (start[0] == '{' || start[0] == '['):
		return isJSON(start)
	case filekind.Of(head) != "" || filekind.HasWideMark(head):
		return false // it may contain messages, and that these are not read is a finding
	}
	return bytes.IndexByte(head[:min(len(head), 512)], 0) >= 0
}

// isJSON reports whether a text is JSON as far as it goes.
func isJSON(text []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(text))
	for tokens := 0; ; tokens++ {
		if _, err := decoder.Token(); err != nil {
			return tokens > 2
		}
		if tokens > 16 {
			return true
		}
	}
}

// withoutCount returns the message in a file of Apple Mail, which has a line with the size of the
// message in front of it and a property list after it.
func withoutCount(name string, content []byte) []byte {
	if !strings.HasSuffix(strings.ToLower(name), ".emlx") {
		return content
	}
	line, message, found := bytes.Cut(content, []byte("\n"))
	size, err := strconv.Atoi(string(bytes.TrimSpace(line)))
	if !found || err != nil || size < 0 {
		return content
	}
	return message[:min(size, len(message))]
}
