package rule

import (
	"fmt"
	"net/netip"
	"strings"
)

// A Rule says what linkmilter does with the messages that it matches. The zero
// value matches every message, reads it and does nothing.
type Rule struct {
	Name string // for logs; ASCII letters, digits and hyphens
	When When   // which messages it matches
	// Trusted says that these messages come from the operator's users and machines:
	// the opt-out field counts, and fields with the operator's id are genuine. Mail
	// of authenticated clients is always trusted. A trusted rule needs a condition
	// on Authenticated, Client or Daemon.
	Trusted bool
	// SignRelayed says that linkmilter signs mail of unauthenticated clients even
	// if it has a Received field. A program that hands mail from outside back to
	// the MTA, such as a virus scanner, also is a local client.
	SignRelayed bool

	HTML    HTML    // whether plain texts get an HTML alternative
	Plain   Plain   // whether links in plain texts are rewritten
	Flagged Flagged // how flagged links are shown in either
	Signed  Signed  // whether messages with DKIM or ARC signatures are edited

	IfNotEditable NotEditable // what becomes of a message that should have been edited and was not
	On            On          // what becomes of a message by its findings
	DryRun        bool        // the report says what linkmilter would have done; it does nothing
}

// Builtin returns the rules that apply without a configuration. Mail of the
// operator's users becomes readable without tags; all other mail is tagged where
// it has a finding of medium or above.
func Builtin() []Rule {
	return []Rule{
		{
			Name: "authenticated", When: When{Authenticated: new(true)}, Trusted: true,
			HTML: HTMLNeeded, IfNotEditable: NotEditableNone,
		},
		{
			Name: "local", When: When{Client: loopback()}, Trusted: true,
			HTML: HTMLNeeded, IfNotEditable: NotEditableNone,
		},
		others,
	}
}

func loopback() []netip.Prefix {
	return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
}

// others is the rule for messages that match no other rule.
var others = Rule{Name: "others", On: On{Medium: ActionTag, High: ActionTag}}

const nameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

// validate refuses values that do not exist, and trust in every client.
func (r *Rule) validate() error {
	for _, choice := range []struct {
		key   string
		valid bool
		value fmt.Stringer
	}{
		{"html", r.HTML <= HTMLAlways, r.HTML},
		{"plain", r.Plain <= PlainReadable, r.Plain},
		{"flagged", r.Flagged <= FlaggedDefang, r.Flagged},
		{"signed", r.Signed <= SignedEdit, r.Signed},
		{"if_not_editable", r.IfNotEditable <= NotEditableReject, r.IfNotEditable},
		{"on: info", r.On.Info <= ActionReject, r.On.Info},
		{"on: low", r.On.Low <= ActionReject, r.On.Low},
		{"on: medium", r.On.Medium <= ActionReject, r.On.Medium},
		{"on: high", r.On.High <= ActionReject, r.On.High},
		{"on: unreadable", r.On.Unreadable <= ActionReject, r.On.Unreadable},
		{"on: partial", r.On.Partial <= ActionReject, r.On.Partial},
	} {
		if !choice.valid {
			return fmt.Errorf("%s: %s", choice.key, choice.value)
		}
	}
	loggedIn := r.When.Authenticated != nil && *r.When.Authenticated
	if r.Trusted && !loggedIn && len(r.When.Client) == 0 && len(r.When.Daemon) == 0 {
		return fmt.Errorf("trusted: needs when.authenticated, when.client or when.daemon")
	}
	return nil
}

// validName reports whether name is fit for logs and header fields.
func validName(name string) bool { return name != "" && strings.Trim(name, nameChars) == "" }
