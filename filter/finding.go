package filter

import (
	"fmt"
	"slices"

	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// A variant is one situation in which the filter reports a code about a message.
type variant uint8

// The variants, in the order of the table.
const (
	forgedFields variant = iota
	differingForm
	malformedForm
	opaqueContent
	partialChosen // a sender can cause one of the reasons at will
	partial
	unalignedLink
	claimOpen // in the order of claim.Kind
	claimSender
	claimOwn
	claimOwnNamesake
	claimNamesake
	claimMarked
	claimLabel
	claimServed
	claimNamed
	addressNoTop
	addressInvalid
	addressFree
	replyLike
	replyFree
	wordsInName
	wordsInSubject
	firstContact
	freeHosting
	unreadableChosen
	unreadable
	unseenDeception
	unseenFiller
)

// variants has the code, name, severity and detail of each variant: the codes in the order of
// the documentation, and the worst variant of a code first. Package policy has the table for
// links: it must not know messages, so that other programs can use it.
var variants = [...]struct {
	code     policy.Code
	name     string // unique for the code
	severity policy.Severity
	text     string // the detail: a sentence with verbs of package fmt for the facts
}{
	forgedFields:     {report.CodeForgedField, "fields", policy.SeverityHigh, "%d fields claim to be of this filter"},
	differingForm:    {report.CodeMalformed, "links", policy.SeverityMedium, "the form is not as the standards say (%s), and programs show different links: some %s, others %s"},
	malformedForm:    {report.CodeMalformed, "form", policy.SeverityLow, "the form is not as the standards say, and what programs show was read: %s"},
	opaqueContent:    {report.CodeOpaque, "content", policy.SeverityInfo, "%s"},
	partialChosen:    {report.CodePartial, "chosen", policy.SeverityMedium, "%s"},
	partial:          {report.CodePartial, "honest", policy.SeverityLow, "%s"},
	unalignedLink:    {report.CodeUnalignedLink, "link", policy.SeverityInfo, "a link to %s, in a message from %s"},
	claimOpen:        {report.CodeClaim, "open", policy.SeverityHigh, "calls itself %s; nothing in the mail belongs to %s: %s"},
	claimSender:      {report.CodeClaim, "sender", policy.SeverityMedium, "calls itself %s; nothing in the mail belongs to %s: %s"},
	claimOwn:         {report.CodeClaim, "own", policy.SeverityMedium, "calls itself %s, as your own; nothing in the mail belongs to %s: %s"},
	claimOwnNamesake: {report.CodeClaim, "own-namesake", policy.SeverityMedium, "calls itself %s, as your own, from a domain with that name that is not below %s: %s"},
	claimNamesake:    {report.CodeClaim, "namesake", policy.SeverityMedium, "calls itself %s, from a domain with that name that is not known as one of the owner of %s: %s"},
	claimMarked:      {report.CodeClaim, "text-open", policy.SeverityMedium, "names %s large or first; nothing in the mail belongs to %s: %s"},
	claimLabel:       {report.CodeClaim, "label", policy.SeverityMedium, "has a host with the name of %s where anyone can have a name; it does not belong to %s: %s"},
	claimServed:      {report.CodeClaim, "beside", policy.SeverityLow, "names %s in the name of the sender beside another, or by a service that writes for others; nothing in the mail belongs to %s: %s"},
	claimNamed:       {report.CodeClaim, "text", policy.SeverityLow, "names %s large or first; nothing in the mail belongs to %s: %s"},
	addressNoTop:     {report.CodeSenderAddress, "no-top-level", policy.SeverityMedium, "the domain of the sender does not end in a top-level domain: no mail can be sent there"},
	addressInvalid:   {report.CodeSenderAddress, "invalid", policy.SeverityMedium, "From is no valid address, or has a name without one: programs show different senders"},
	addressFree:      {report.CodeSenderAddress, "free-hosting", policy.SeverityMedium, "the sender is at %s, where anyone can have a name, and no link of the mail leads there"},
	replyLike:        {report.CodeSenderAddress, "reply-lookalike", policy.SeverityMedium, "answers go to %s, which is like %s, to which your users write, but is another site"},
	replyFree:        {report.CodeSenderAddress, "reply-mailbox", policy.SeverityMedium, "answers go to %s, where anyone can have an address, and not to %s, to which your users write"},
	wordsInName:      {report.CodeMixedWords, "name", policy.SeverityMedium, "a word of the name of the sender mixes alphabets, or has invisible characters"},
	wordsInSubject:   {report.CodeMixedWords, "subject", policy.SeverityLow, "a word of the subject mixes alphabets, or has invisible characters"},
	firstContact:     {report.CodeFirstContact, "sender", policy.SeverityInfo, "none of your users has written to the sender, at %s"},
	freeHosting:      {report.CodeFreeHosting, "link", policy.SeverityInfo, "a link leads to %s, where anyone can have a page"},
	unreadableChosen: {report.CodeUnreadable, "chosen", policy.SeverityMedium, "%s"},
	unreadable:       {report.CodeUnreadable, "honest", policy.SeverityLow, "%s"},
	unseenDeception:  {report.CodeUnseen, "deception", policy.SeverityMedium, "programs read what people do not see: %s (%d in all)"},
	unseenFiller:     {report.CodeUnseen, "filler", policy.SeverityLow, "programs read what people do not see: %s (%d in all)"},
}

// readingVariant returns the variant of CodePartial or CodeUnreadable: the chosen one if a sender could
// cause one of the reasons.
func readingVariant(code policy.Code, reasons ...report.Reason) variant {
	chosen := slices.ContainsFunc(reasons, isChosen)
	switch {
	case code == report.CodePartial && chosen:
		return partialChosen
	case code == report.CodePartial:
		return partial
	case chosen:
		return unreadableChosen
	}
	return unreadable
}

// MessageSeverities returns the codes of findings about a message, each with the
// default severity of its worst variant.
func MessageSeverities() map[policy.Code]policy.Severity {
	all := make(map[policy.Code]policy.Severity)
	for _, v := range variants {
		all[v.code] = max(all[v.code], v.severity)
	}
	return all
}

// severities are the configured severities of findings about a message.
type severities map[policy.Code]policy.Severity

// of returns the severity of a variant: the configured one, or else the default.
func (s severities) of(v variant) policy.Severity {
	if severity, ok := s[variants[v].code]; ok {
		return severity
	}
	return variants[v].severity
}

// finding returns a finding about a message, with the facts for its sentence.
func (s severities) finding(v variant, facts ...any) policy.Finding {
	return policy.Finding{Code: variants[v].code, Severity: s.of(v), Detail: fmt.Sprintf(variants[v].text, facts...)}
}

// splitSeverities separates configured severities: those for findings about a message, and those for
// package policy.
func splitSeverities(configured map[policy.Code]policy.Severity) (message severities, link map[policy.Code]policy.Severity, err error) {
	message, link = make(severities), make(map[policy.Code]policy.Severity)
	defaults := MessageSeverities()
	for code, severity := range configured {
		if _, ok := defaults[code]; !ok {
			link[code] = severity
			continue
		}
		if severity > policy.SeverityHigh {
			return nil, nil, fmt.Errorf("%s: unknown %s", code, severity)
		}
		message[code] = severity
	}
	return message, link, nil
}
