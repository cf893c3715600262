package config

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/bom"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/tlds"
	"github.com/linkmilter/linkmilter/policy"
)

// Load reads and validates the file at path. The error is [Problems] with all
// problems of the file, or that of reading it.
func Load(path string) (*File, error) { return load(path, true) }

// LoadWithoutKeys is Load for commands that do not sign: their user may not be
// allowed to read the DKIM keys.
func LoadWithoutKeys(path string) (*File, error) { return load(path, false) }

func load(path string, keys bool) (*File, error) {
	document, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	return parse(&reader{name: path, withoutKeys: !keys}, document)
}

// Parse reads and validates a document. Errors name it as name. The error is
// [Problems].
func Parse(name string, document []byte) (*File, error) {
	return parse(&reader{name: name}, document)
}

func parse(r *reader, document []byte) (*File, error) {
	if bom.IsUTF16(document) {
		r.problem("", "is in UTF-16: save it as UTF-8")
		return nil, r.problems
	}
	document, _ = bom.Cut(document)
	file := Default()
	// Rules of a file replace the built-in ones: none of their values remain.
	builtin := file.Rules
	file.Rules = nil
	r.decode(document, &file)
	if len(file.Rules) == 0 {
		file.Rules = builtin
	}
	if _, milter := r.places["milter"]; !milter && r.places.below("content_filter") {
		file.Milter.Listen = nil // the file configures the content filter only
	}
	if r.places != nil {
		// Also after other problems, so that all are reported at once.
		r.validate(&file)
	}
	if len(r.problems) > 0 {
		return nil, r.problems.sorted()
	}
	return &file, nil
}

// validate notes well-formed values that are not valid.
func (r *reader) validate(f *File) {
	r.validateMilter(f)
	r.validateContentFilter(f)
	r.validateLimits(f)
	r.validateAdmin(f)
	if source, err := url.Parse(f.TLDs.URL); err != nil || source.Scheme != "https" || source.Host == "" {
		r.problem("tlds.url", "URL %q: not valid (want one that begins with https://)", f.TLDs.URL)
	}
	if every := time.Duration(f.TLDs.Every); every < tlds.MinEvery {
		r.problem("tlds.every", "%s is too often: IANA makes a list a day (want at least %s)", f.TLDs.Every, Duration(tlds.MinEvery))
	}
	if f.TLDs.DNS && !f.TLDs.Refresh {
		r.problem("tlds.dns", "needs refresh = true, which also removes names that the DNS no longer has")
	}
	r.validateDKIM(&f.DKIM)
	r.validateFilter(f)
}

func (r *reader) validateMilter(f *File) {
	listen := f.ListenMilter()
	for i, address := range f.Milter.Listen {
		if err := listen.Check(address); err != nil {
			r.problem(element("milter.listen", i), "%v", err)
		} else if slices.Contains(f.Milter.Listen[:i], address) {
			r.problem(element("milter.listen", i), "%s is listed twice", address)
		}
	}
	r.validateGroup("milter.socket_group", f.Milter.SocketGroup)
	positive(r, "milter.max_connections", f.Milter.MaxConnections)
	positive(r, "milter.idle_timeout", f.Milter.Idle)
	positive(r, "milter.content_timeout", f.Milter.Content)
}

func (r *reader) validateLimits(f *File) {
	l := &f.Limits
	positive(r, "limits.message", l.Message)
	positive(r, "limits.text", l.Text)
	positive(r, "limits.result", l.Result)
	positive(r, "limits.growth", l.Growth)
	positive(r, "limits.header", l.Header)
	positive(r, "limits.parts", l.Parts)
	positive(r, "limits.depth", l.Depth)
	positive(r, "limits.links", l.Links)
	positive(r, "limits.time", l.Time)
	positive(r, "limits.memory", l.Memory)
	// linkmilter holds a message as received, in one piece, and as the result.
	if least := 3 * l.Message; l.Memory < least {
		r.problem("limits.memory", "%s is too little for one message of limits.message = %s (want at least %s)", l.Memory, l.Message, least)
	}
}

func (r *reader) validateAdmin(f *File) {
	if path := f.Admin.Pprof; path != "" && !filepath.IsAbs(path) {
		r.problem("admin.pprof", "path %q: not absolute (want that of a Unix socket)", path)
	}
	if f.Admin.Listen == "" {
		return
	}
	host, _, err := net.SplitHostPort(f.Admin.Listen)
	if err != nil {
		r.problem("admin.listen", "address %q: not valid (want 127.0.0.1:8896 or [::1]:8896)", f.Admin.Listen)
		return
	}
	if ip, err := netip.ParseAddr(host); err != nil || !ip.IsLoopback() && len(f.Admin.Hosts) == 0 {
		r.problem("admin.listen", "address %q: not a loopback address (want 127.0.0.1 or ::1, or list the names of this host in admin.hosts)", host)
	}
	for _, address := range f.Milter.Listen {
		if _, taken, err := mailserver.ParseAddr(address); err == nil && taken == f.Admin.Listen {
			r.problem("admin.listen", "%s is also in milter.listen", f.Admin.Listen)
		}
	}
}

// validateFilter has the filter check its options one value at a time, so that each
// problem is reported at its place.
func (r *reader) validateFilter(f *File) {
	for i, domain := range f.Policy.Protected {
		r.probe(element("policy.protected", i), filter.Options{Policy: policy.Options{Protected: []string{domain}}})
	}
	for i, host := range f.Policy.Allow {
		r.probe(element("policy.allow", i), filter.Options{Allow: []string{host}})
	}
	for i, pattern := range f.Policy.NeverLink {
		r.probe(element("policy.never_link", i), filter.Options{NeverLink: []string{pattern}})
	}
	for code, severity := range f.Policy.Severity {
		one := map[policy.Code]policy.Severity{code: severity}
		r.probe("policy.severity."+string(code), filter.Options{Policy: policy.Options{Severities: one}})
	}
	r.probe("header.id", filter.Options{ID: f.Header.ID})
	for i, id := range f.Header.OtherIDs {
		r.probe(element("header.other_ids", i), filter.Options{OtherIDs: []string{id}})
	}
	r.probe("header.opt_out", filter.Options{OptOut: f.Header.OptOut})
	for i, id := range f.Header.Authserv {
		r.probe(element("header.authserv_ids", i), filter.Options{AuthservIDs: []string{id}})
	}
	for i := range f.Rules {
		// A rule without the condition that has a problem would be a different rule.
		if !r.troubled(element("rule", i)) {
			o := filter.Options{Rules: []rule.Rule{f.Rules[i].rule()}}
			if len(f.Header.Authserv) > 0 {
				o.AuthservIDs = []string{"any.example"} // any id makes the condition valid
			}
			r.probe(element("rule", i), o)
		}
		same := func(other Rule) bool { return other.Name == f.Rules[i].Name }
		if f.Rules[i].Name != "" && slices.ContainsFunc(f.Rules[:i], same) {
			r.problem(element("rule", i)+".name", "name %q: used by a rule above", f.Rules[i].Name)
		}
	}
	if len(r.problems) == 0 {
		r.probe("", f.Filter(nil)) // contradictions between valid values
	}
}

// troubled reports whether path or a key below it has a problem.
func (r *reader) troubled(path string) bool {
	return slices.ContainsFunc(r.problems, func(p Problem) bool { return strings.HasPrefix(p.Key, path) })
}

// probe notes the error of the filter for options with one value of the file.
func (r *reader) probe(path string, options filter.Options) {
	if _, err := filter.New(options); err != nil {
		// The filter counts its rules, and these options have only one.
		r.problem(path, "%s", strings.TrimPrefix(err.Error(), "rule 1: "))
	}
}
