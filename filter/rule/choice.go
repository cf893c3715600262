package rule

// HTML says when linkmilter adds an HTML alternative to a plain text that has
// none. The zero value leaves texts alone.
type HTML uint8

// When linkmilter adds an alternative.
const (
	HTMLNever HTML = iota // linkmilter only reads and judges texts
	// HTMLNeeded: when a link reads better than it was typed, or has characters
	// beyond ASCII, at which some programs cut links.
	HTMLNeeded
	HTMLAlways
)

// Plain says when linkmilter rewrites links in plain texts to their readable form. The
// zero value leaves texts as they were typed.
type Plain uint8

// When linkmilter rewrites links in plain texts.
const (
	PlainKeep Plain = iota
	// PlainNeeded: instead of an HTML alternative that would raise spam scores.
	PlainNeeded
	PlainReadable // always
)

// Edit says which messages linkmilter edits, where the rule asks for an edit. A greater
// value edits fewer messages.
type Edit uint8

// Which messages linkmilter edits.
const (
	_ Edit = iota // whatever the rule asks for
	// EditFlagged: messages with a flagged link. In their HTML parts nothing opens such
	// a link afterwards, unless the rule shows flagged links as links.
	EditFlagged
	EditNever
)

// Flagged says how linkmilter shows a flagged link: one with a finding of medium
// or above, or one whose host failed policy. It always shows the host in ASCII.
type Flagged uint8

// What linkmilter does with flagged links.
const (
	FlaggedUnlink Flagged = iota // the link is text that opens nothing
	FlaggedLink                  // the link opens
	FlaggedDefang                // the text is not a link for any program: hxxps[:]//example[.]com
)

// stricter returns the choice that keeps more readers from opening flagged links.
func (f Flagged) stricter(other Flagged) Flagged {
	strictness := [...]int{FlaggedLink: 0, FlaggedUnlink: 1, FlaggedDefang: 2}
	if strictness[other] > strictness[f] {
		return other
	}
	return f
}
