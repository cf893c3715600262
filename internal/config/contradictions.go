package config

import (
	"crypto/tls"
	"fmt"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// validate notes values that contradict each other, and values that another key makes
// invalid.
func (r *reader) validate(f *File) {
	r.validateMilter(f)
	r.validateContentFilter(f)
	r.validateDigest(&f.Digest)
	r.validateHTTP(f)
	// linkmilter holds a message as received, in one piece, and as the result.
	if least := 3 * f.Limits.Message; f.Limits.Memory < least {
		r.problem("limits.memory", "size %q: too small for one message of limits.message = %q (want at least %q)", f.Limits.Memory, f.Limits.Message, least)
	}
	r.validateAdmin(f)
	if f.TLDs.DNS && !f.TLDs.Refresh {
		r.problem("tlds.dns", "true: needs refresh, which removes names that left the DNS (want refresh = true)")
	}
	r.validateDKIM(&f.DKIM)
	r.validateRules(f)
	r.validateLists(f)
	r.validateDNS(&f.DNS)
	if len(r.problems) == 0 {
		if err := probe(f.Filter(nil)); err != nil {
			r.problem("", "%v", err)
		}
	}
}

func (r *reader) validateMilter(f *File) {
	listen := f.ListenMilter()
	for i, address := range f.Milter.Listen {
		at := element("milter.listen", i)
		if err := listen.Check(address); err != nil {
			r.problem(at, "%v", err)
		} else if isListed(f.Milter.Listen[:i], address) {
			r.problem(at, "address %q: listed twice (want it once)", address)
		}
	}
}

func (r *reader) validateContentFilter(f *File) {
	c, listen := &f.ContentFilter, f.ListenContentFilter()
	for i, address := range c.Listen {
		at := element("content_filter.listen", i)
		if err := listen.Check(mailserver.WithScheme(address)); err != nil {
			r.problem(at, "%v", err)
		} else if isListed(c.Listen[:i], address) {
			r.problem(at, "address %q: listed twice (want it once)", address)
		} else if isListed(f.Milter.Listen, address) {
			r.problem(at, "address %q: also in milter.listen (want it in one of them)", address)
		}
	}
	r.validateNextHop(c)
	r.validateCertificate(c)
	if c.Quarantine != "" && c.Hold != "" {
		r.problem("content_filter.hold", "address %q: messages in quarantine go to one place (want quarantine or hold, not both)", c.Hold)
	}
}

// isListed reports whether an address is in a list, in any notation.
func isListed(list []string, address string) bool {
	network, at, err := mailserver.ParseAddr(mailserver.WithScheme(address))
	return err == nil && slices.ContainsFunc(list, func(other string) bool {
		same, taken, err := mailserver.ParseAddr(mailserver.WithScheme(other))
		return err == nil && same == network && taken == at
	})
}

func (r *reader) validateNextHop(c *ContentFilter) {
	if c.NextHop == "" {
		// The command line may name it, but then it also says where to listen.
		if len(c.Listen) > 0 {
			r.problem("content_filter.listen", "no next hop to send messages to (want next_hop = \"127.0.0.1:10026\" in this table)")
		}
		return
	}
	network, address, err := mailserver.ParseAddr(mailserver.WithScheme(c.NextHop))
	if err != nil {
		r.problem("content_filter.next_hop", "%v", err)
		return
	}
	if network != "unix" && strings.HasSuffix(address, ":0") {
		r.problem("content_filter.next_hop", "address %q: port 0 is not valid (want 1 to 65535)", c.NextHop)
	}
	if isListed(c.Listen, c.NextHop) {
		r.problem("content_filter.next_hop", "address %q: also in content_filter.listen, a mail loop (want the mail server's address)", c.NextHop)
	}
}

func (r *reader) validateCertificate(c *ContentFilter) {
	switch {
	case c.TLSCert == "" && c.TLSKey == "":
	case c.TLSCert == "":
		r.problem("content_filter.tls_key", "file %q: a key without a certificate (want tls_cert, too)", c.TLSKey)
	case c.TLSKey == "":
		r.problem("content_filter.tls_cert", "file %q: a certificate without its key (want tls_key, too)", c.TLSCert)
	default:
		if _, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey); err != nil {
			at := "content_filter.tls_cert"
			if strings.Contains(err.Error(), c.TLSKey) && c.TLSKey != c.TLSCert {
				at = "content_filter.tls_key"
			}
			r.problem(at, "%v (want files in PEM that the account of linkmilter may read)", err)
		}
	}
}

// validateRules has the filter check the rules one at a time, so that each problem is
// reported at its place.
func (r *reader) validateRules(f *File) {
	for i, u := range f.rules() {
		at := r.rules[i]
		if at == "" {
			continue // a built-in rule
		}
		if u.Name == "" && !r.troubled(at+".name") {
			r.problem(at, "no name (want name = \"inbound\")")
		}
		// A rule without the condition that has a problem would be a different rule.
		if !r.troubled(at) {
			o := filter.Options{Rules: []rule.Rule{u}, AuthservIDs: f.Header.Authserv}
			if r.troubled("header.authserv_ids") {
				o.AuthservIDs = []string{"any.example"} // any id makes the condition valid
			}
			if err := probe(o); err != nil {
				r.ruleProblem(at, u.Name, err.Error())
			}
		}
		same := func(other rule.Rule) bool { return other.Name == u.Name }
		if u.Name != "" && slices.ContainsFunc(f.Rules[:i], same) {
			r.problem(at+".name", "name %q: used by a rule above (want another name)", u.Name)
		}
	}
}

// ruleProblem records the filter's error about a rule. If the text begins with a key, it records
// the error at that key.
func (r *reader) ruleProblem(at, name, text string) {
	text = strings.TrimPrefix(text, fmt.Sprintf("rule %q: ", name))
	if first, rest, found := strings.Cut(text, ": "); found {
		for _, place := range placesOf(first) {
			if below, ok := strings.CutPrefix(place, "rule."); ok {
				r.problem(at+"."+below, "%s", rest)
				return
			}
		}
	}
	r.problem(at, "%s", text)
}
