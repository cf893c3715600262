package engine

import (
	"fmt"

	"github.com/linkmilter/linkmilter/engine/tld"
)

// A Mode selects the rules of detection.
type Mode uint8

// The modes.
const (
	// ModeDefault is the standard plus the adjustments of adjust.go, which
	// UTS #58 §8 leaves to a higher level.
	ModeDefault Mode = iota
	// ModeStrict is exactly UTS #58 §3.5.1 and §5.2.
	ModeStrict
)

// String returns "default" or "strict".
func (m Mode) String() string {
	if m == ModeStrict {
		return "strict"
	}
	return "default"
}

// Options select what a Scanner finds. The zero value is the default mode
// with the built-in top-level domains, without suspects and without limits.
type Options struct {
	// Mode selects the rules.
	Mode Mode
	// TLDs are the top-level domains that a bare host may end in; nil means
	// tld.Builtin().
	TLDs *tld.Set
	// Suspects asks for what is no link by the rules, but would be made one
	// by other programs: links of KindSuspect, with a Reason.
	Suspects bool
	// MaxLinks is the number of links after which a text is not scanned any
	// further; 0 means no limit.
	MaxLinks int
	// MaxLinkLen is the length in bytes beyond which a link is a suspect with
	// ReasonTooLong; 0 means no limit. See Link.Head.
	MaxLinkLen int
}

// DefaultMaxLinkLen is a MaxLinkLen for mail. Links of 2 to 4 KiB are common where
// services wrap links; browsers open longer ones, which nobody writes.
const DefaultMaxLinkLen = 8 << 10

// validate returns an error for options that contradict themselves.
func (o Options) validate() error {
	if o.Mode > ModeStrict {
		return fmt.Errorf("unknown mode %d", o.Mode)
	}
	if o.MaxLinks < 0 {
		return fmt.Errorf("negative MaxLinks %d", o.MaxLinks)
	}
	if o.MaxLinkLen < 0 {
		return fmt.Errorf("negative MaxLinkLen %d", o.MaxLinkLen)
	}
	return nil
}
