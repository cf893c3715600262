// Package htmledit edits foreign HTML by byte splices, and proves what they change.
//
// A splice removes an attribute, replaces a text or makes a text a link. Right-to-left components of
// URLs get isolates. All other bytes stay. [Prove] reads the source before and after the splices, as
// trees and as tokens. Apart from the planned changes, both readings must be equal.
//
// The proof needs a third source, in which each splice writes a mark: a word that is not in the source.
// A reader may put the mark in an attribute, a text or a comment. There it stands for the old bytes
// before the splice and for the new ones after it. So the proof also holds for places that readers
// understand differently.
//
// The package knows HTML and byte ranges. It knows neither links nor messages: its callers
// say where the splices are.
package htmledit
