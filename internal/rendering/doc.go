// Package rendering shows a message roughly as mail programs do, and what an edit changed in it.
// The result has no scripts, remote contents or forms, and its links do not open.
//
// It is for people who compare a message before and after an edit, and makes no decisions. Whoever
// serves a rendering must also forbid scripts and loads by a Content-Security-Policy, as a second
// defence.
package rendering
