// Package tlds keeps the list of top-level domains fresh: it fetches IANA's
// tlds-alpha-by-domain.txt, checks that it is one, keeps it in a file, and
// hands each new set to whoever finds links with it. Whatever goes wrong, the
// list at hand stays in use.
//
// It knows the network, the disk and the time, so that package tld needs to
// know neither. It must not know links, mail, or what the names are used for.
package tlds
