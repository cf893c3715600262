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

var htmlNames = []string{"never", "needed", "always"}

// Plain says whether linkmilter rewrites the links of a plain text. The zero
// value leaves texts alone.
type Plain uint8

// What linkmilter does with plain texts.
const (
	PlainKeep Plain = iota // the text keeps every byte
	// PlainReadable: linkmilter rewrites links in their readable form. It defangs
	// flagged links where Flagged says so.
	PlainReadable
)

var plainNames = []string{"keep", "readable"}

// Flagged says how linkmilter shows a flagged link: one with a finding of medium
// or above, or one whose host failed policy. It always shows the host in ASCII.
type Flagged uint8

// What linkmilter does with flagged links.
const (
	FlaggedUnlink Flagged = iota // the link is text that opens nothing
	FlaggedLink                  // the link opens
	FlaggedDefang                // the text is not a link for any program: hxxps[:]//example[.]com
)

var flaggedNames = []string{"unlink", "link", "defang"}

// stricter returns the choice that keeps more readers from opening flagged links.
func (f Flagged) stricter(other Flagged) Flagged {
	strictness := [...]int{FlaggedLink: 0, FlaggedUnlink: 1, FlaggedDefang: 2}
	if strictness[other] > strictness[f] {
		return other
	}
	return f
}

// Signed says whether linkmilter edits a message with a DKIM signature or an ARC
// seal, which breaks them.
type Signed uint8

// What linkmilter does with signed messages.
const (
	SignedKeep Signed = iota // linkmilter does not edit them
	SignedEdit               // linkmilter edits them, for operators who sign again
)

var signedNames = []string{"keep", "edit"}

// NotEditable says what becomes of a message that linkmilter should have edited
// and could not edit.
type NotEditable uint8

// What becomes of such messages.
const (
	NotEditableTag        NotEditable = iota // header fields say so
	NotEditableNone                          // only the report says so
	NotEditableQuarantine                    // the MTA holds the message
	NotEditableReject                        // the message is refused
)

var notEditableNames = []string{"tag", "none", "quarantine", "reject"}

// Action returns what the choice means for the message.
func (n NotEditable) Action() Action {
	return [...]Action{ActionTag, ActionNone, ActionQuarantine, ActionReject}[n]
}

// String returns the name that configurations use.
func (h HTML) String() string { return nameOf(htmlNames, h) }

// String returns the name that configurations use.
func (p Plain) String() string { return nameOf(plainNames, p) }

// String returns the name that configurations use.
func (f Flagged) String() string { return nameOf(flaggedNames, f) }

// String returns the name that configurations use.
func (s Signed) String() string { return nameOf(signedNames, s) }

// String returns the name that configurations use.
func (n NotEditable) String() string { return nameOf(notEditableNames, n) }

// Choices returns the names of all values, from the zero value on.
func (HTML) Choices() []string { return htmlNames }

// Choices returns the names of all values, from the zero value on.
func (Plain) Choices() []string { return plainNames }

// Choices returns the names of all values, from the zero value on.
func (Flagged) Choices() []string { return flaggedNames }

// Choices returns the names of all values, from the zero value on.
func (Signed) Choices() []string { return signedNames }

// Choices returns the names of all values, from the zero value on.
func (NotEditable) Choices() []string { return notEditableNames }
