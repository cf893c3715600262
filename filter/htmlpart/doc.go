// Package htmlpart reads foreign HTML: the elements that open something, the URLs
// that these open, the texts that they show, and the texts beside them.
//
// It is a part of the program linkmilter and exports only what its other packages use.
// It knows HTML and byte ranges in it. The caller finds and judges the links.
//
// It reads token by token. A tree takes quadratic time on hostile input and ends
// at some depth. So it reads what browsers show, except in the rare documents in
// which a parser moves elements.
package htmlpart
