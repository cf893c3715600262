// Package mailauth signs messages with DKIM (RFC 6376, RFC 8301, RFC 8463), finds the
// header fields that existing signatures cover, and reads the Authentication-Results
// fields of trusted servers (RFC 8601).
//
// It is a part of the program linkmilter and exports only what its other packages use.
//
// github.com/emersion/go-msgauth signs and parses Authentication-Results.
// This package chooses keys and fields, formats the output for mail servers, and
// bounds the input. It takes messages and fields, and knows neither rules nor
// transports.
//
// No input makes the package panic, and its work is bounded. A signature that it cannot
// parse covers no fields: otherwise any sender could stop linkmilter from writing its own.
package mailauth
