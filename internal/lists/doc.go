// Package lists knows hosts and URLs that others publish in lists: it fetches the lists, reads
// their formats, keeps them as sorted files of hashes, and looks links up in these.
//
// A lookup reads memory that the system maps from these files. It asks nobody, and a message
// never waits for a list.
package lists
