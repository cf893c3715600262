package ucd

// UnicodeVersion is the version of the Unicode data that the tables are made of. The
// next version is a new value here, a Go toolchain, x/net and x/text with the same version
// in go.mod, and `make ucd`, which fetches the data and writes the tables again.
const UnicodeVersion = "17.0.0"
