// Package tlds updates the list of top-level domains. It fetches IANA's
// tlds-alpha-by-domain.txt, checks it, stores it in a file, and publishes each new
// set of names. The current list stays in use after any error.
//
// It uses the network, the disk and the time, so that package tld uses none of them.
// It must not know links, mail, or the use of the names.
package tlds
