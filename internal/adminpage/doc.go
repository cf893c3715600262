// Package adminpage is the page for operators on the admin listener: what the service
// does now, which links it flagged and why, and a place to try a message.
//
// Everything that came from mail is data on these pages: html/template escapes it, elements isolate
// its text direction, and a Content-Security-Policy forbids scripts and outside resources.
package adminpage
