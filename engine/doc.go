// Package engine finds links in text (UTS #58 §3 and §5) and writes them in
// the forms that people and programs need.
//
// A [Scanner] detects URLs and e-mail addresses. A [Link] knows its parts, its
// host as A-labels and U-labels, the URL a browser opens, and a readable form
// that opens the same. [Structure] and [Format] are minimal escaping (UTS #58
// §4), from data and from a string.
//
// It knows text, URLs, hosts and addresses. It must not know MIME, mail,
// whether a link is safe to show (that is package policy), input and output,
// or logging; it neither reads files nor looks anything up.
package engine
