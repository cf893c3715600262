// Package alternative writes the HTML alternative of a plain text: the same words
// in the same lines, with links that open the URL that was typed and show it in
// readable form.
//
// It is a part of the program linkmilter and exports only what its other packages use.
// It knows text, byte ranges in it and HTML. The caller says where the links are, what
// they open and what they show.
//
// The document is made for programs that show mail, not for browsers: styles are
// inline, since some programs drop style sheets; no-break spaces keep spaces and
// <br> keeps lines, since Outlook does not know the white-space property; nothing
// is loaded.
package alternative
