// Package mailauth is what linkmilter knows of the authentication of mail: it
// signs messages with DKIM (RFC 6376, RFC 8301, RFC 8463), finds out which header
// fields of a message the signatures that it carries cover, and reads what
// trusted servers wrote into Authentication-Results (RFC 8601).
//
// Signing, verifying and the results of Authentication-Results are the work of
// github.com/emersion/go-msgauth; this package chooses keys and fields, makes
// its output fit for mail servers, and bounds its input. It takes messages and
// fields, and knows neither rules nor transports.
//
// Nothing here panics on bad input, and the work is bounded. What cannot be
// understood of a signature counts as signed in an unknown way
// ([Signatures.Covers] is then true for every field): whoever edits keeps away.
package mailauth
