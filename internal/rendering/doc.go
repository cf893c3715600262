// Package rendering shows a message roughly as mail programs do, without scripts,
// remote contents, forms and links that open, and what an edit changed in it.
//
// It is for people who compare a message before and after an edit, and makes no
// decisions. Whoever serves a rendering also forbids scripts and loads: this package is
// one of two defences.
package rendering
