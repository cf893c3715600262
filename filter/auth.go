package filter

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/mailauth"
	"github.com/linkmilter/linkmilter/mime"
)

// authenticate takes over what signs, and who is believed about the authenticity
// of messages.
func (f *Filter) authenticate(o Options) error {
	if f.signer, f.signs = o.Signer, o.Sign; f.signs > SignEdited {
		return fmt.Errorf("sign: %s", f.signs)
	}
	for _, id := range o.AuthservIDs {
		if id == "" || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`;"()`, r) }) {
			return fmt.Errorf("authserv id %q: not a word of ASCII such as a host name", id)
		}
	}
	f.authserv = o.AuthservIDs
	for i := range f.rules {
		if r := &f.rules[i]; len(r.when.auth) > 0 && len(f.authserv) == 0 {
			return fmt.Errorf("rule %q: auth: never holds, since no server is believed (authserv_ids)", r.Name)
		}
	}
	for _, domain := range o.Policy.Protected {
		if err := f.protected.add(domain); err != nil {
			return err
		}
	}
	return nil
}

// results returns what trusted servers found out about the message.
func (w *work) results() []mailauth.Result {
	if !w.asked && w.message != nil && len(w.filter.authserv) > 0 {
		w.asked = true
		w.told = mailauth.Results(w.message.Values(w.message.Root, mailauth.FieldResults), w.filter.authserv)
	}
	return w.told
}

// noteUnaligned makes a finding of a message that is known to be from the domain
// in its From and has a link to another.
func (w *work) noteUnaligned() {
	if w.filter.severity(CodeUnalignedLink) == 0 || len(w.results()) == 0 {
		return
	}
	from := canonicalDomain(w.fromDomain())
	if from == "" || !mailauth.AuthenticatedFrom(w.results(), from) {
		return
	}
	own := registrable(from)
	for i := range w.report.Links {
		l := &w.report.Links[i]
		if l.Place == PlaceHeader || l.Place == PlaceEnvelope || l.Link.Kind == engine.KindEmail {
			continue
		}
		if host := l.Link.ASCIIHost(); host != "" && registrable(host) != own {
			// Nothing that is another when the message is filtered again, such as a number.
			w.note(CodeUnalignedLink, fmt.Sprintf("a link to %s, in a message from %s", host, from))
			return
		}
	}
}

// registrable returns the domain below a public suffix that a host belongs to; of
// a public suffix, itself.
func registrable(host string) string {
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}

// noteSignedBefore notes that a message of one's own users was not made readable
// because it came with a signature of the domain that it is from.
func (w *work) noteSignedBefore() {
	if !w.trusted() || w.report.NotDone != ReasonDKIM {
		return
	}
	domain := canonicalDomain(w.fromDomain())
	if domain != "" && w.isOwn(domain) && w.signatures().By(domain) {
		w.report.SignedBefore = domain
	}
}

// isOwn reports whether the domain of a message that one's own rule trusts is
// one's own: mail of strangers may come from one's own machines too, where
// something hands it on.
func (w *work) isOwn(domain string) bool {
	f := w.filter
	if w.env.Authenticated || f.signer != nil && f.signer.Has(domain) {
		return true
	}
	for parent, found := domain, true; found; _, parent, found = strings.Cut(parent, ".") {
		if f.protected.has(parent) {
			return true
		}
	}
	return false
}

// rewrittenLater reports whether an MTA that writes addresses anew behind this
// filter would change fields that are signed. (What it does to long lines is
// [mailauth.SevenBit]'s to know.)
func (w *work) rewrittenLater() bool {
	s := w.filter.signer
	return slices.ContainsFunc(w.message.Root.Fields, func(f mime.Field) bool {
		return s.Signs(f.Name) && !mailauth.SendmailKeeps(f.Name, string(w.message.Raw[f.ValueStart:f.End]), s.Relaxed())
	})
}
