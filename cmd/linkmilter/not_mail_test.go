package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	oneMail  = "From: a@example.org\nSubject: x\n\nText\n"
	oneMbox  = "From a@example.org Thu Jan  1 00:00:00 2026\n" + oneMail
	sqlite   = "SQLite format 3\x00\x10\x00\x01\x01"
	mork     = "// <!-- <mdb:mork:z v=\"1.4\"/> -->\n< <(a=c)> // (f=iso-8859-1)\n"
	property = "<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC \"x\" \"y\">\n<plist/>\n"
)

// TestFilesOfMailProgramsAreNoMessages: of a folder as each mail program writes it, scan reads only
// the messages, and counts indexes, summaries and caches.
func TestFilesOfMailProgramsAreNoMessages(t *testing.T) {
	for program, layout := range map[string]struct{ mail, aside map[string]string }{
		"Thunderbird": {
			map[string]string{"Mail/Local Folders/Inbox": oneMbox, "Mail/Local Folders/Archive.sbd/2026": oneMbox, "ImapMail/example.org/INBOX": oneMbox, "Mail/Local Folders/filterlog": oneMbox},
			map[string]string{
				"Mail/Local Folders/Inbox.msf": mork, "Mail/Local Folders/Trash": "", "Mail/Local Folders/msgFilterRules.dat": "version=\"9\"\nlogging=\"no\"\n",
				"Mail/Local Folders/popstate.dat": "# POP3 State File\n", "Mail/Local Folders/filterlog.html": "<head></head>", "panacea.dat": mork, "prefs.js": "// Mozilla User Preferences\n", "abook.sqlite": sqlite,
				"folderCache.json": `{"a":{"b":1}}`, "session.json": "{\n \"rev\": 0, \"windows\": [] }", "cert9.db": sqlite, "compatibility.ini": "[Compatibility]\n", "extensions/a.xpi": "PK\x03\x04\x00", ".parentlock": "",
				"startupCache/x.lz4": "mozLz40\x00abc", "global-messages-db.sqlite": sqlite, "abook.mab": mork, "virtualFolders.dat": "version=1\n", "pkcs11.txt": "library=\n", "times.json": `{"created":1,"firstUse":null}`,
			},
		},
		"Dovecot, Maildir": {
			map[string]string{"cur/1:2,S": oneMail, "new/2": "SQLite format 3\x00", "new/dovecot.index": "{}", ".Sent/cur/3": oneMail},
			map[string]string{
				"dovecot.index": "\x07\x03\x08\x00", "dovecot.index.log": "\x01\x03\x28\x00", "dovecot.index.cache": "\x01\x00", "dovecot-uidlist": "3 V1 N2 Gabc\n1 :1\n", "dovecot-keywords": "0 Junk\n", "subscriptions": "V\t2\n\nSent\n",
				".Sent/maildirfolder": "", ".Sent/dovecot.index.log": "\x01\x03", "maildirsize": "1S\n", "courierimapkeywords/:list": "Junk\n", "dovecot-uidvalidity.1": "",
			},
		},
		"Dovecot, mbox": {
			map[string]string{"inbox": oneMbox, "Lists/dovecot": oneMbox},
			map[string]string{".imap/INBOX/dovecot.index": "\x07\x03", ".imap/INBOX/anything": "text", ".subscriptions": "Sent\n", "dovecot.list.index.log": "\x01\x03", ".imap/Sent/dovecot.index.cache": "x\x00"},
		},
		"Evolution": {
			map[string]string{".Inbox/cur/1": oneMail, "mbox/Inbox": oneMbox},
			map[string]string{
				"folders.db": sqlite, "..cmeta": "<?xml version=\"1.0\"?>\n<CamelObject/>", "mbox/Inbox.ev-summary": "\x00\x00\x00\x0d", "mbox/Inbox.ibex.index": "ibex\x00", "mbox/Inbox.ibex.index.data": "x\x00", "mbox/Inbox.cmeta": "a", ".Inbox.ibex.index.data": "\x01",
			},
		},
		"KMail": {
			map[string]string{"inbox/cur/1": oneMail, ".lists.directory/kde/cur/2": oneMail, "drafts": oneMbox},
			map[string]string{".inbox.index": "# KMail-Index V1506\n\x00", ".inbox.index.ids": "# KMail-Index-IDs V1002\n*", ".inbox.index.sorted": "## KMail Sort V0305\n", ".lists.directory/.kde.index": "# KMail-Index V1506\n", ".directory": "[Dolphin]\n", ".drafts.uidcache": "# KMail-UidCache V1\n"},
		},
		"Apple Mail": {
			map[string]string{"V10/A/INBOX.mbox/B/Data/Messages/1.emlx": fmt.Sprintf("%d    \n%s%s", len(oneMail), oneMail, property), "V10/A/Old.mbox/mbox": oneMbox},
			map[string]string{
				"V10/MailData/Envelope Index": sqlite, "V10/MailData/Envelope Index-wal": "\x37\x7f\x06\x82\x00", "V10/A/INBOX.mbox/Info.plist": property, "V10/A/Old.mbox/table_of_contents": "\x00\x0d", "V10/MailData/SyncedRules.plist": "bplist00\xd1",
				".DS_Store": "\x00\x00\x00\x01Bud1", "V10/A/INBOX.mbox/B/Data/Messages/2.1.emlxpart": "SGVsbG8=\n",
			},
		},
	} {
		folder := t.TempDir()
		for name, content := range layout.mail {
			writeBelow(t, folder, name, content)
		}
		for name, content := range layout.aside {
			writeBelow(t, folder, name, content)
		}
		for name := range layout.mail { // a Maildir has three folders
			if maildir, _, found := strings.Cut("/"+name, "/cur/"); found {
				for _, each := range []string{"cur", "new", "tmp"} {
					if err := os.MkdirAll(filepath.Join(folder, maildir, each), 0o700); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		var got, want []string
		messages := newArchive([]string{folder}, nil, 1<<20, func(in input) string {
			if strings.Contains(in.name, ".emlx") && string(in.raw) != oneMail {
				t.Errorf("%s: %s has %q", program, in.name, in.raw)
			}
			return strings.TrimSuffix(strings.TrimPrefix(in.name, folder+"/"), ":1")
		})
		for name, err := range messages.results(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, name)
		}
		for name := range layout.mail {
			want = append(want, name)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || messages.aside != len(layout.aside) {
			t.Errorf("%s: read %q, want %q; passed over %d, want %d", program, got, want, messages.aside, len(layout.aside))
		}
	}
}

// TestMailIsReadUnderAnyName: a file that looks like mail is read even if it has the name of an
// index. A file that the user names is read in any case.
func TestMailIsReadUnderAnyName(t *testing.T) {
	names := []string{"x", "x.eml", "cyrus.cache", "dovecot.index.log", "Envelope Index", "subscriptions"}
	for _, end := range endsOfFilesAside {
		names = append(names, "x"+end)
	}
	for _, begin := range beginsOfFilesAside {
		names = append(names, begin+"x")
	}
	for _, name := range names {
		for _, content := range []string{oneMail, oneMbox, "\ufeff" + oneMail, "X-Mozilla-Status: 0001\n" + oneMail, "Return-Path:<>\n" + oneMail, "x: {}\n\n"} {
			folder := t.TempDir()
			writeBelow(t, folder, name, content)
			if got := resultsOf(t, nil, 1<<20, folder); len(got) != 1 {
				t.Errorf("%s with %.20q: %q", name, content, got)
			}
		}
		for _, content := range []string{"", "\x00\x01", "{\"a\": [1, 2, 3]}", "version=1\n"} {
			path := writeBelow(t, t.TempDir(), name, content)
			if got := resultsOf(t, nil, 1<<20, path); len(got) != 1 {
				t.Errorf("%s with %q, named: %q", name, content, got)
			}
			got := resultsOf(t, nil, 1<<20, filepath.Dir(path))
			if isMessage := name == "x.eml" || name == "x" && content == "version=1\n"; (len(got) == 1) != isMessage {
				t.Errorf("%s with %q, in a folder: %q", name, content, got)
			}
		}
	}
}
