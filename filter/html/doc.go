// Package html writes the HTML alternative of a plain text: the same words in
// the same lines, with links that open the URL that was typed and show it in
// readable form. And it reads foreign HTML: what can be clicked on in it, what
// that opens and shows, and the texts beside.
//
// It knows text, byte ranges in it and HTML. It must not know messages,
// policy, or how a link was found: whoever calls it says where the links are,
// what they open and what they show, and finds links in the texts that were
// read.
//
// Foreign HTML is read token by token and never parsed into a tree, which takes
// quadratic time on hostile input and fails at some depth. So what is read is
// what browsers show, but for the rare documents in which a parser moves
// elements around.
//
// What it writes is made for the programs that show mail, not for browsers:
// styles stand inline, since some programs drop style sheets; spaces are kept
// by no-break spaces and lines by <br>, since Outlook knows no white-space
// property; nothing is loaded from anywhere.
package html
