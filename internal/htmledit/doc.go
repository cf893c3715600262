// Package htmledit edits foreign HTML by byte splices, and proves what they change.
//
// A splice removes an attribute, replaces a text or makes a text a link. Components of URLs
// with characters from right to left get isolates. All other bytes stay. [Prove] reads the
// source before and after the splices, as a tree and as tokens, and compares both readings:
// they are equal but for the planned changes.
//
// The proof needs a third source, in which each splice writes a mark: a word that is not in the
// source. Wherever a reader puts the mark, as an attribute, a text or a piece of a comment, the
// mark stands for the old bytes before and the new ones after. So the proof holds for places
// that readers understand differently.
//
// The package knows HTML and byte ranges. It knows neither links nor messages: its callers
// say where the splices are.
package htmledit
