package mailauth

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/emersion/go-msgauth/authres"
)

// Limits for parsing Authentication-Results.
const (
	maxResultFields = 50 // with a trusted id
	maxResults      = 200
)

// A Result is the result of one authentication method at a trusted server.
type Result struct {
	method string // "dkim", "spf", "dmarc", "arc", … in lower case
	value  string // "pass", "fail", "none", … in lower case
	// Properties are those that go-msgauth knows for the method, such as "header.d",
	// "header.from" and "smtp.mailfrom", with their values.
	properties map[string]string
}

// Results reads the values of Authentication-Results fields, given from top to
// bottom. It returns the results of the fields whose authserv-id is in trusted,
// whatever its case (RFC 8601 §2.5). It skips fields of others, of another version,
// too long or damaged, and damaged results within a field.
//
// For each method only the topmost trusted field with a result counts. A server
// writes its field on top, so a forged field with the same id is below it.
func Results(fields, trusted []string) []Result {
	var results []Result
	read := 0
	var told []string // methods of the fields above
	for _, field := range fields {
		if read == maxResultFields {
			break
		}
		plain, ok := plainResults(field)
		if !ok {
			continue
		}
		id, found, ok := authservID(plain)
		if !ok || !slices.ContainsFunc(trusted, func(t string) bool { return strings.EqualFold(trimDot(t), trimDot(id)) }) {
			continue
		}
		read++
		first := len(results)
		for _, statement := range statements(found) {
			r, ok := parseResult(id, statement)
			if ok && !slices.Contains(told, r.method) && len(results) < maxResults {
				results = append(results, r)
			}
		}
		for _, r := range results[first:] {
			told = append(told, r.method)
		}
	}
	return results
}

func trimDot(id string) string { return strings.TrimSuffix(id, ".") }

// parseResult reads one result, without comments and quotes.
func parseResult(id, statement string) (Result, bool) {
	_, parsed, err := authres.Parse(id + "; " + statement)
	if err != nil || len(parsed) != 1 {
		return Result{}, false
	}
	r := Result{}
	properties := make(map[string]string)
	set := func(name, value string) {
		if value != "" {
			properties[name] = value
		}
	}
	switch p := parsed[0].(type) {
	case *authres.DKIMResult:
		r.method, r.value = "dkim", string(p.Value)
		set("header.d", p.Domain)
		set("header.i", p.Identifier)
	case *authres.SPFResult:
		r.method, r.value = "spf", string(p.Value)
		set("smtp.mailfrom", p.From)
		set("smtp.helo", p.Helo)
	case *authres.DMARCResult:
		r.method, r.value = "dmarc", string(p.Value)
		set("header.from", p.From)
	case *authres.ARCResult:
		r.method, r.value = "arc", string(p.Value)
		set("smtp.remote-ip", p.RemoteIP)
		if p.OldestPass > 0 {
			set("header.oldest-pass", strconv.Itoa(p.OldestPass))
		}
	case *authres.AuthResult:
		r.method, r.value = "auth", string(p.Value)
		set("smtp.auth", p.Auth)
	case *authres.IPRevResult:
		r.method, r.value = "iprev", string(p.Value)
		set("policy.iprev", p.IP)
	case *authres.DomainKeysResult:
		r.method, r.value = "domainkeys", string(p.Value)
		set("header.d", p.Domain)
	case *authres.GenericResult:
		r.method, r.value = p.Method, string(p.Value)
		for name, value := range p.Params {
			set(name, value)
		}
	default: // sender-id, which conditions do not know
		return Result{}, false
	}
	r.properties = properties
	return r, isWord(r.method) && isWord(r.value)
}

// A Condition is a method and the value that a trusted server must have found for it.
type Condition struct {
	method, value string
}

// conditionValues are the values that each method may have (RFC 8601 §2.7, RFC
// 7489 §11.2, RFC 8617 §4.4).
var conditionValues = map[string][]string{
	"dkim":  {"none", "pass", "fail", "policy", "neutral", "temperror", "permerror"},
	"spf":   {"none", "pass", "fail", "policy", "neutral", "softfail", "temperror", "permerror"},
	"dmarc": {"none", "pass", "fail", "temperror", "permerror"},
	"arc":   {"none", "pass", "fail"},
	"iprev": {"pass", "fail", "temperror", "permerror"},
	"auth":  {"none", "pass", "fail", "temperror", "permerror"},
}

// ParseCondition reads a condition such as "dkim=pass".
func ParseCondition(s string) (Condition, error) {
	method, value, found := strings.Cut(strings.ToLower(s), "=")
	c := Condition{strings.TrimSpace(method), strings.TrimSpace(value)}
	values, known := conditionValues[c.method]
	switch {
	case !found || c.method == "":
		return c, fmt.Errorf("authentication result %q: not valid (want dkim=pass)", s)
	case !known:
		return c, fmt.Errorf("authentication result %q: unknown method %q (want arc, auth, dkim, dmarc, iprev or spf)", s, c.method)
	case !slices.Contains(values, c.value):
		return c, fmt.Errorf("authentication result %q: unknown result of %s (want one of %s)", s, c.method, strings.Join(values, ", "))
	}
	return c, nil
}

// Match reports whether one of the results meets the condition. A method without a
// result does not match, not even "none".
func (c Condition) Match(results []Result) bool {
	return slices.ContainsFunc(results, func(r Result) bool {
		value := r.value
		if value == "hardfail" { // of RFC 5451
			value = "fail"
		}
		return r.method == c.method && value == c.value
	})
}
