package filter

import (
	"fmt"
	"slices"
	"strings"
)

// The values of a rule that are chosen from a few are small integers whose zero
// value is the default. Each has String, a Parse function, MarshalText and
// UnmarshalText for configurations, with the same names.

// HTML says when an HTML alternative is added to a plain text that has none.
type HTML uint8

// When an alternative is added. The zero value leaves texts alone.
const (
	// HTMLNever: texts are read and judged, nothing more.
	HTMLNever HTML = iota
	// HTMLNeeded: when a link reads better than it was typed, or was typed
	// with characters beyond ASCII, at which some programs cut links.
	HTMLNeeded
	// HTMLAlways: always.
	HTMLAlways
)

var htmlNames = []string{"never", "needed", "always"}

// Plain says what is done with the links in a plain text itself.
type Plain uint8

// What is done with plain texts. The zero value leaves them alone.
const (
	// PlainKeep: the text keeps every byte.
	PlainKeep Plain = iota
	// PlainReadable: links are rewritten as they are read best; those that are
	// flagged are defanged where Flagged says so.
	PlainReadable
)

var plainNames = []string{"keep", "readable"}

// Flagged says how a flagged link is shown wherever the rule shows links: one
// with a finding of medium or above, or whose host failed policy. Its host is
// always shown in ASCII.
type Flagged uint8

// What is done with flagged links.
const (
	// FlaggedUnlink: the link is shown and opens nothing.
	FlaggedUnlink Flagged = iota
	// FlaggedLink: the link is shown with its host in ASCII, and opens.
	FlaggedLink
	// FlaggedDefang: what is shown is no link for any program: hxxps[:]//example[.]com.
	FlaggedDefang
)

var flaggedNames = []string{"unlink", "link", "defang"}

// Signed says whether a message that is signed with DKIM or sealed with ARC is
// edited, which breaks the signature.
type Signed uint8

// What is done with signed messages.
const (
	// SignedKeep: they are not edited.
	SignedKeep Signed = iota
	// SignedEdit: they are edited all the same, for those who sign again.
	SignedEdit
)

var signedNames = []string{"keep", "edit"}

// Sign says which messages of one's own users are signed with DKIM where there
// is a key for them.
type Sign uint8

// What is signed.
const (
	// SignAll: all that do not come with a signature of their domain.
	SignAll Sign = iota
	// SignEdited: those whose content was edited, for those who sign elsewhere.
	SignEdited
)

var signNames = []string{"all", "edited"}

// NotEditable says what becomes of a message that should have been edited and
// could not be.
type NotEditable uint8

// What becomes of such messages.
const (
	NotEditableTag        NotEditable = iota // header fields say so
	NotEditableNone                          // only the report says so
	NotEditableQuarantine                    // the MTA holds the message
	NotEditableReject                        // the message is refused
)

var notEditableNames = []string{"tag", "none", "quarantine", "reject"}

// action returns what a choice means for the message.
func (n NotEditable) action() Action {
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
func (s Sign) String() string { return nameOf(signNames, s) }

// String returns the name that configurations use.
func (n NotEditable) String() string { return nameOf(notEditableNames, n) }

// ParseHTML returns the mode with the given name.
func ParseHTML(name string) (HTML, error) { return parseName[HTML](htmlNames, name) }

// ParsePlain returns the mode with the given name.
func ParsePlain(name string) (Plain, error) { return parseName[Plain](plainNames, name) }

// ParseFlagged returns the mode with the given name.
func ParseFlagged(name string) (Flagged, error) { return parseName[Flagged](flaggedNames, name) }

// ParseSigned returns the mode with the given name.
func ParseSigned(name string) (Signed, error) { return parseName[Signed](signedNames, name) }

// ParseSign returns the mode with the given name.
func ParseSign(name string) (Sign, error) { return parseName[Sign](signNames, name) }

// ParseNotEditable returns the choice with the given name.
func ParseNotEditable(name string) (NotEditable, error) {
	return parseName[NotEditable](notEditableNames, name)
}

// MarshalText returns the name that configurations use.
func (h HTML) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// MarshalText returns the name that configurations use.
func (p Plain) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// MarshalText returns the name that configurations use.
func (f Flagged) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// MarshalText returns the name that configurations use.
func (s Signed) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalText returns the name that configurations use.
func (s Sign) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalText returns the name that configurations use.
func (n NotEditable) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText reads the name that configurations use.
func (h *HTML) UnmarshalText(text []byte) error { return readName(h, htmlNames, text) }

// UnmarshalText reads the name that configurations use.
func (p *Plain) UnmarshalText(text []byte) error { return readName(p, plainNames, text) }

// UnmarshalText reads the name that configurations use.
func (f *Flagged) UnmarshalText(text []byte) error { return readName(f, flaggedNames, text) }

// UnmarshalText reads the name that configurations use.
func (s *Signed) UnmarshalText(text []byte) error { return readName(s, signedNames, text) }

// UnmarshalText reads the name that configurations use.
func (s *Sign) UnmarshalText(text []byte) error { return readName(s, signNames, text) }

// UnmarshalText reads the name that configurations use.
func (n *NotEditable) UnmarshalText(text []byte) error { return readName(n, notEditableNames, text) }

// nameOf returns the name of a choice.
func nameOf[T ~uint8](names []string, choice T) string {
	if int(choice) < len(names) {
		return names[choice]
	}
	return fmt.Sprintf("unknown %d", uint8(choice))
}

// parseName returns the choice with the given name, or an error that lists the
// names.
func parseName[T ~uint8](names []string, name string) (T, error) {
	if i := slices.Index(names, name); i >= 0 {
		return T(i), nil
	}
	return 0, fmt.Errorf("unknown value %q: it is one of %s", name, strings.Join(names, ", "))
}

// readName sets *choice to the one with the given name.
func readName[T ~uint8](choice *T, names []string, text []byte) error {
	parsed, err := parseName[T](names, string(text))
	if err == nil {
		*choice = parsed
	}
	return err
}
