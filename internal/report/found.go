package report

import (
	"regexp"
	"slices"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/policy"
)

// A Place says what kind of text holds a link.
type Place uint8

// The places.
const (
	PlaceText     Place = iota // a text/plain part, or a text that is not in a message
	PlaceHTMLLink              // an attribute of HTML whose URL opens on a click
	PlaceHTMLText              // a text of HTML outside of links
	PlaceHeader                // a field of the header of the message or of an attached one
	PlaceEnvelope              // the envelope sender
)

// A Found has a link or suspect and its judgement.
type Found struct {
	// Part names the place: the number of a part, "1.2"; a header field,
	// "header:From", of attached message 2 "2/header:From"; "envelope:sender".
	// It is empty for a text that is not in a message.
	Part string
	// Link is the link. Its offsets are into the part's text as UTF-8. For
	// text/plain this is the text without soft line breaks; for HTML the source, with
	// the range of the tag or of the link's text; for a field its value, unfolded and
	// decoded (RFC 2047). The text of a link longer than engine.Options.MaxLinkLen ends
	// with the host.
	Link    engine.Link
	Place   Place          // what kind of text holds it
	Hidden  bool           // most programs do not show the HTML that holds it
	Verdict policy.Verdict // the judgement of its host and of the rest
	Href    string         // ASCII URL that it opens; empty for suspects
	Display string         // readable form of the same URL; the host in ASCII where it failed policy
	Linked  bool           // whether an HTML alternative links it
	Broken  bool           // it continues over several lines or is too long, and is shown as typed unless it is defanged
	Guessed bool           // only a later reading of the part has it; its offsets are into that reading
	// Repaired says that it is not written as a link, but that a reader would repair it, as
	// "example[.]com". It causes no action.
	Repaired bool
	Flagged  bool // its host failed policy, or a finding is medium or above
	Misnamed bool // a finding of medium or above is about a text that is shown for it
}

// Codes of findings about a message. Package policy has the codes of findings about links.
const (
	CodeUnreadable  policy.Code = "unreadable"   // nothing of the message could be read
	CodeOpaque      policy.Code = "opaque"       // contents are not read although they may hold links, such as a PDF
	CodePartial     policy.Code = "partial"      // something of the message could not be read
	CodeMalformed   policy.Code = "malformed"    // the form of the message is broken, and it was read as programs show it
	CodeForgedField policy.Code = "forged-field" // too many fields claim our id, so that some were not removed
	// CodeUnalignedLink: the message is known to be from the domain in its From and has
	// a link to another.
	CodeUnalignedLink policy.Code = "unaligned-link"
	CodeClaim         policy.Code = "claim"          // readers believe that somebody is the sender whom nothing in the message supports
	CodeSenderAddress policy.Code = "sender-address" // an address in From that no honest sender has
	CodeMixedWords    policy.Code = "mixed-words"    // words of the sender's name or the subject in letters of several alphabets
	CodeFirstContact  policy.Code = "first-contact"  // a sender to whom none of the operator's users wrote
	CodeFreeHosting   policy.Code = "free-hosting"   // a link to where anyone can have a page
)

// Worst returns the worst finding about the message, except those with the codes to skip, or about a
// link that opens something.
func Worst(findings []policy.Finding, links []Found, skip ...policy.Code) policy.Finding {
	var worst policy.Finding
	for _, f := range findings {
		if f.Severity > worst.Severity && !slices.Contains(skip, f.Code) {
			worst = f
		}
	}
	for i := range links {
		if links[i].Repaired {
			continue
		}
		for _, f := range links[i].Verdict.Findings {
			if f.Severity > worst.Severity {
				worst = f
			}
		}
	}
	return worst
}

// Has reports whether one of these findings has a code. Those of links that open nothing do not count.
func Has(findings []policy.Finding, links []Found, code policy.Code) bool {
	isCode := func(f policy.Finding) bool { return f.Code == code }
	return slices.ContainsFunc(findings, isCode) || slices.ContainsFunc(links, func(l Found) bool {
		return !l.Repaired && slices.ContainsFunc(l.Verdict.Findings, isCode)
	})
}

// IsAboutSender reports whether one of these findings of medium or above is about who sent the message.
func IsAboutSender(findings []policy.Finding, links []Found) bool {
	isAbout := func(f policy.Finding) bool {
		return f.Severity >= policy.SeverityMedium && (f.Code == CodeClaim || f.Code == CodeSenderAddress || f.Code == CodeMixedWords)
	}
	return slices.ContainsFunc(findings, isAbout) || slices.ContainsFunc(links, func(l Found) bool {
		return l.Verdict.Worst() >= policy.SeverityMedium && (l.Place == PlaceEnvelope || l.Place == PlaceHeader && senderFields[l.Part])
	})
}

// senderFields are the places of the fields that name who sent the message.
var senderFields = map[string]bool{"header:From": true, "header:Sender": true, "header:Reply-To": true}

// imitatedName matches, for each code, the imitated name in the detail of a finding.
var imitatedName = map[policy.Code]*regexp.Regexp{
	policy.CodeLookalike:          regexp.MustCompile(`(?:(?:looks|begins) like|the name of)(?: your| the popular site)? (?:www\.)?([^ ]+\.[^ .]+)`),
	policy.CodeTextTargetMismatch: regexp.MustCompile(`^the (?:text|label) names ([^ ]+\.[^ .,]+),`),
	policy.CodeDisplayName:        regexp.MustCompile(`^the sender is called ([^ ]+\.[^ .,]+),`),
}

// Imitated returns the domain that a finding says is imitated: a host looks like it, or the text of
// a link or a sender's name says it although another domain is opened or writes. It returns "" for
// other findings, and for texts and names with severity low, as in newsletters that count clicks.
func Imitated(f policy.Finding) string {
	name := imitatedName[f.Code]
	if name == nil || f.Code != policy.CodeLookalike && f.Severity < policy.SeverityMedium {
		return ""
	}
	if found := name.FindStringSubmatch(f.Detail); found != nil {
		return found[1]
	}
	return ""
}
