package ucd

// UnicodeVersion is the version of the Unicode data that the tables are made of, except
// for hosts: see [IDNAVersion]. The next version is a new value here and `make ucd`,
// which fetches both versions and writes the tables again. The Go toolchain, x/net and
// x/text need not have that version: [HostClassOf] keeps theirs.
const UnicodeVersion = "18.0.0"

// IsDraft reports whether the tables are made of drafts of [UnicodeVersion].
func IsDraft() bool { return Release != UnicodeVersion }
