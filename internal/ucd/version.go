package ucd

// UnicodeVersion is the version of the Unicode data from which the tables are made, except for
// hosts: see [IDNAVersion]. The next version is a new value here and `make ucd`. All else follows
// from the two: the files that make ucd fetches and the year that it expects in them, the tables
// and their headers, the files that the tests read, and the versions that linkmilter prints. The Go
// toolchain, x/net and x/text need not have that version, since [HostClassOf] keeps theirs.
const UnicodeVersion = "18.0.0"

// IsDraft reports whether the tables are made of drafts of [UnicodeVersion].
func IsDraft() bool { return Release != UnicodeVersion }
