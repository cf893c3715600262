// Package htmlpart reads foreign HTML: the elements that open something, the URLs
// that these open, the texts that they show, and the texts beside them.
//
// It is a part of the program linkmilter and exports only what its other packages use.
// It knows HTML and byte ranges in it. The caller finds and judges the links.
//
// Programs read HTML in several ways, and it takes the union of these:
//
//   - The first reading goes token by token. It knows the places of all items and has
//     no bounds but those of its tokens.
//   - In SVG, MathML and some other elements the same bytes are markup or text, which
//     depends on the tree. From there it follows both ways, for their references.
//   - It reads the tree of a parser, with scripts and without, where that may differ
//     from the tokens, and is not too deep or large. Elements that are surely the same in
//     both are left out.
//
// A text in a style that may hide it is read with it and without it.
package htmlpart
