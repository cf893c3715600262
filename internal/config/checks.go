package config

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/bcrypt"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/filter/header"
	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/correspondents"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/mailauth"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/internal/tlds"
	"github.com/linkmilter/linkmilter/policy"
)

// checks are the checks of single values, by the names that the tag "check" has. The check of a
// list is for each element.
var checks = map[string]func(value any) error{
	"positive": positive,
	"every":    every,
	"group":    onText(group),
	"host":     onText(host),
	"mailbox":  onText(mailbox),
	"absolute": onText(absolute),
	"https":    onText(https),
	"resolver": onText(resolver),
	"valkey":   onText(wanting("redis://127.0.0.1:6379", correspondents.CheckServer)),

	"time-of-day": onText(timeOfDay),
	"bcrypt":      onText(bcryptHash),

	"code":        func(code any) error { return findingCode(code.(policy.Code)) },
	"found-code":  func(code any) error { return foundCode(code.(policy.Code)) },
	"protected":   onText(unlessFile(protected)),
	"allow-line":  onText(unlessFile(allowLine)),
	"host-line":   onText(unlessFile(hostLine)),
	"own-name":    onText(ownName),
	"robot":       onText(robot),
	"never-link":  onText(wanting("node.js", neverLink)),
	"admin-host":  onText(adminHost),
	"metrics-url": onText(metricsURL),
	"id":          onText(wanting("mx.example.com", header.ValidateID)),
	"opt-out":     onText(wanting("X-Opt-Out", func(s string) error { return probe(filter.Options{OptOut: s}) })),
	"node":        onText(wanting("mx1", func(s string) error { return probe(filter.Options{Node: s}) })),
	"authserv":    onText(wanting("mx.example.com", func(s string) error { return probe(filter.Options{AuthservIDs: []string{s}}) })),

	"rule-name": onText(wanting("inbound", func(s string) error { return probe(filter.Options{Rules: []rule.Rule{{Name: s}}}) })),
	"subject-tag": onText(wanting("[suspicious link]", func(s string) error {
		return probe(filter.Options{Rules: []rule.Rule{{Name: "inbound", SubjectTag: s}}})
	})),
	"address":     onText(address),
	"auth-result": onText(authResult),
}

func onText(check func(string) error) func(any) error {
	return func(value any) error { return check(value.(string)) }
}

// wanting adds an example of a valid value to those errors of a check that have none.
func wanting(example string, check func(string) error) func(string) error {
	return func(text string) error {
		err := check(text)
		if err != nil && !strings.Contains(err.Error(), "(want ") {
			err = fmt.Errorf("%w (want %s)", err, example)
		}
		return err
	}
}

// bcryptHash checks the hash of a password.
func bcryptHash(text string) error {
	if _, err := bcrypt.Cost([]byte(text)); err != nil {
		return errors.New("not a bcrypt hash (want one that linkmilter password prints)")
	}
	return nil
}

// filePrefix begins an element of a list that stands for the lines of a file.
const filePrefix = "file:"

// unlessFile skips elements that name a file.
func unlessFile(check func(string) error) func(string) error {
	return func(text string) error {
		if path, ok := strings.CutPrefix(text, filePrefix); ok {
			return absolute(path)
		}
		return check(text)
	}
}

// protected refuses a text that cannot be a protected domain.
func protected(domain string) error {
	err := new(pattern.Domains).Add(domain)
	if err == nil {
		_, err = policy.New(policy.Options{Protected: []string{domain}, WithoutBrands: true})
	}
	if err == nil {
		return nil
	}
	text, hasExample := err.Error(), strings.Contains(err.Error(), "(want ")
	if name, isBelow := strings.CutPrefix(domain, "."); isBelow && !hasExample && protected(name) == nil {
		return fmt.Errorf("%s (want %q)", text, name)
	} else if !hasExample {
		return fmt.Errorf("%s (want example.com)", text)
	}
	// Everything below a protected domain is protected, too.
	return errors.New(strings.Replace(text, `(want ".`, `(want "`, 1))
}

// allowLine refuses a text that is not a line of allow.
func allowLine(line string) error {
	if pattern.IsPair(line) {
		return new(pattern.Pairs).AddLine(line)
	}
	return hostLine(line)
}

// ownName refuses a text that cannot be a name of the operator.
func ownName(name string) error {
	if _, err := policy.New(policy.Options{Names: []string{name}, WithoutBrands: true}); err != nil {
		return err
	}
	return nil
}

// hostLine refuses a text that is not a line of allow or block.
func hostLine(line string) error {
	if pattern.IsPair(line) {
		return errors.New("a sender, which only allow takes (want example.com, or .example.com for every host below it)")
	}
	err := new(pattern.Domains).AddLine(line)
	if err != nil && !strings.Contains(err.Error(), "(want ") {
		err = fmt.Errorf("%w (want example.com, or .example.com for every host below it)", err)
	}
	return err
}

// robot refuses a text that is not a pattern for addresses of programs.
func robot(text string) error {
	if err := pattern.CheckAddressGlob(text); err != nil {
		return err
	}
	return probe(filter.Options{Robots: []string{text}})
}

// neverLink refuses a text that is not a pattern for texts of links.
func neverLink(text string) error {
	if err := pattern.CheckLinkGlob(text); err != nil {
		return err
	}
	return probe(filter.Options{NeverLink: []string{text}})
}

// adminHost refuses a name that no request can have, because browsers send A-labels.
func adminHost(name string) error {
	if _, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil || hostname.IsHost(name) {
		return nil
	}
	bare := name
	if _, rest, found := strings.Cut(bare, "://"); found {
		bare = rest
	}
	bare, _, _ = strings.Cut(bare, "/")
	if h, _, err := net.SplitHostPort(bare); err == nil {
		bare = h
	}
	meant, err := hostname.ASCII(bare)
	if err != nil || !hostname.IsHost(meant) {
		meant = "mail.example.com"
	}
	return fmt.Errorf("host name %q: not valid (want %q)", name, meant)
}

func positive(value any) error {
	switch v := value.(type) {
	case int:
		if v <= 0 {
			return fmt.Errorf("number %d: too low (want at least 1)", v)
		}
	case Size:
		if v <= 0 {
			return fmt.Errorf("size %s: too small (want at least 1)", v)
		}
	case Duration:
		if v <= 0 {
			return fmt.Errorf("time %q: too short (want more than 0s)", v)
		}
	}
	return nil
}

// every refuses an interval for IANA's list that is shorter than package tlds allows.
func every(value any) error {
	if v := value.(Duration); time.Duration(v) < tlds.MinEvery {
		return fmt.Errorf("time %q: too short, IANA publishes a list a day (want at least %q)", v, Duration(tlds.MinEvery))
	}
	return nil
}

// group refuses a group that this machine does not have.
func group(name string) error {
	if _, err := strconv.ParseUint(name, 10, 31); err == nil {
		return nil // a number is valid without a name
	}
	if _, err := user.LookupGroup(name); err != nil {
		return fmt.Errorf("group %q: unknown on this machine (want a group of /etc/group, or its number)", name)
	}
	return nil
}

func host(name string) error {
	if !hostname.IsHost(name) && !hostname.IsLiteral(name) {
		return fmt.Errorf("host name %q: not valid (want mx.example.com)", name)
	}
	return nil
}

func mailbox(text string) error {
	if address, err := mail.ParseAddress(text); err != nil || address.Address != text {
		return fmt.Errorf("address %q: not valid (want quarantine@example.com)", text)
	}
	return nil
}

func timeOfDay(text string) error {
	if _, err := time.Parse("15:04", text); err != nil {
		return fmt.Errorf("time %q: not a time of day (want 07:00)", text)
	}
	return nil
}

func absolute(path string) error {
	if !filepath.IsAbs(path) {
		return fmt.Errorf("path %q: not absolute (want one that begins with /)", path)
	}
	return nil
}

func https(text string) error {
	if source, err := url.Parse(text); err != nil || source.Scheme != "https" || source.Host == "" {
		return fmt.Errorf("URL %q: not valid (want one that begins with https://)", text)
	}
	return nil
}

// metricsURL checks the URL of a node's metrics. Credentials would be on the page.
func metricsURL(text string) error {
	source, err := url.Parse(text)
	if err != nil || source.Scheme != "http" && source.Scheme != "https" || source.Host == "" || source.User != nil {
		return fmt.Errorf("URL %q: not valid (want http://10.0.0.12:8896/metrics)", text)
	}
	return nil
}

func findingCode(code policy.Code) error {
	var names []string
	for known := range policy.Codes() {
		names = append(names, string(known))
	}
	for _, known := range slices.Sorted(maps.Keys(filter.MessageSeverities())) {
		names = append(names, string(known))
	}
	if slices.Contains(names, string(code)) {
		return nil
	}
	if near := nearest(string(code), names); near != "" {
		return fmt.Errorf("code %q: unknown (did you mean %s?)", code, near)
	}
	return fmt.Errorf("code %q: unknown (want %s)", code, list(names, "or"))
}

// foundCode refuses what is not a code that rules can ask for.
func foundCode(code policy.Code) error {
	if code == report.CodeForgedField {
		return fmt.Errorf("code %q: found when the header is edited, after the rule is chosen (want another code)", code)
	}
	return findingCode(code)
}

// address refuses a text that is not a pattern for envelope addresses.
func address(text string) error {
	_, err := pattern.NewAddresses([]string{text})
	return err
}

func authResult(text string) error {
	_, err := mailauth.ParseCondition(text)
	return err
}

// probe returns the error of the filter for options with one value of the file.
func probe(options filter.Options) error {
	_, err := filter.New(options)
	if err == nil {
		return nil
	}
	// The key says where the value is, and these options have only one rule.
	text := err.Error()
	for _, prefix := range []string{"rule 1: ", `rule "inbound": subject_tag: `, "allow: ", "never link: ", "robots: ", "policy: "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return errors.New(text)
}
