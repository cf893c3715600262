// Package dnslist asks block lists in the DNS (RFC 5782) about the hosts of links: those of Spamhaus (DBL),
// SURBL and URIBL, and others of their form.
//
// Asking tells the list and the resolvers between which hosts one's mail has. So it is off unless zones are
// configured. Each message waits for a short time at most, answers are kept for their time to live, and a
// list that fails or refuses is not asked for a while.
package dnslist
