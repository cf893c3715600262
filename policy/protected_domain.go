package policy

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/ucd"
)

// A protectedDomain is one domain that other hosts must not look like.
type protectedDomain struct {
	domain string // U-labels: "paypal.com"
	ascii  string // A-labels, for the details of findings
	word   string // "paypal"; "" if the domain is not registrable
	shape  string // the shape of the word
	suffix string // "com"
	own    bool   // it is the operator's
	brand  bool   // phishing imitates it; an operator's domain can be both

	isAlias bool // the word is the spelling of a non-ASCII name in ASCII
}

// isIn reports whether a label contains the name as it is written.
func (d *protectedDomain) isIn(label string) bool { return strings.Contains(label, d.word) }

// shown returns the domain as its owner writes it, for the detail of a finding.
func (d *protectedDomain) shown() string {
	if d.own {
		return d.domain
	}
	return d.ascii
}

// minFar is the length in code points of the shortest name that some rules compare with labels
// below any top-level domain. These rules are for labels that differ by an accent, a hyphen, vv or
// an i. Shorter names are near honest words: "äpple" is Swedish for apple.
const minFar = 7

// minBrandSure is the length in code points of the shortest impersonated name of which a label with
// a typing error is surely not an honest name.
const minBrandSure = 8

// A resemblance says how much a string with the key of a name looks like it.
type resemblance uint8

const (
	different resemblance = iota
	near                  // they differ by an accent, a hyphen, vv or an i
	alike                 // the two have the same skeleton
)

// variant returns the variant for the resemblance.
func (r resemblance) variant(ifAlike, ifNear variant) variant {
	switch r {
	case alike:
		return ifAlike
	case near:
		return ifNear
	}
	return nothing
}

// resemblance returns how much s, which has the key of the name, looks like it. The name is the
// domain or its word; s is accordingly a domain that ends in the suffix, or a label.
func (d *protectedDomain) resemblance(s, name, suffix string) resemblance {
	label, _, _ := strings.Cut(s, ".")
	switch {
	case looksWritten(s, name):
		return alike
	case honestWords.Has(label):
		return different
	case !d.own && s == withoutHyphens(name):
		return different // most owners have both domains
	}
	plain, plainName, length := plainKey(s), plainKey(name), utf8.RuneCountInString(name)
	narrow := strings.NewReplacer("i", "l", "1", "l")
	switch {
	case plain != plainName && looksWritten(plain, plainName):
		return alike // in addition to what looks alike, a mark, a hyphen or vv differs
	case narrow.Replace(plain) != narrow.Replace(plainName):
		if wordKey(s) == wordKey(name) {
			return alike
		}
		return near
	case suffix == d.suffix, length >= minFar:
		return near
	case length >= minHidden && (marksOf(s) > marksOf(name)+1 || hasLettersForLetters(s, name)):
		return near // no honest name of others has several more marks
	}
	return different
}

// plainKey returns a key that ignores marks and hyphens, and that has w in place of vv and d in
// place of cl, which honest words also have.
func plainKey(s string) string {
	var b strings.Builder
	s = strings.ToLower(s)
	if word := strings.TrimRight(s, "0123456789"); len(s)-len(word) > 1 {
		s = word + string(appendKey(nil, s[len(word):])) // a number after a word
	}
	for _, r := range norm.NFKD.String(s) {
		switch {
		case r == '-' || ucd.IsMark(r) && ucd.ScriptOf(r) == ucd.ScriptZinh:
		case r == 'w':
			b.WriteString("vv")
		case r == 'd':
			b.WriteString("cl")
		case letterForms[r] != "" && prototype(r) == "":
			b.WriteString(letterForms[r])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// marksOf returns how many European marks a name has.
func marksOf(name string) (marks int) {
	for _, r := range norm.NFKD.String(name) {
		if ucd.IsMark(r) && ucd.ScriptOf(r) == ucd.ScriptZinh {
			marks++
		}
	}
	return marks
}

// hasLettersForLetters reports whether s has vv or cl where the name has w or d.
func hasLettersForLetters(s, name string) bool {
	return strings.Count(s, "vv") > strings.Count(name, "vv") && strings.Contains(name, "w") ||
		strings.Count(s, "cl") > strings.Count(name, "cl") && strings.Contains(name, "d")
}

// sure returns the variant long if the name is long enough or is the operator's. Otherwise honest
// names are near it, and sure returns the variant short.
func (d *protectedDomain) sure(long, short variant) variant {
	if d.own || utf8.RuneCountInString(d.word) >= minBrandSure && !ordinary[d.word] {
		return long
	}
	return short
}

// continues reports whether a host that begins with the name of the domain goes on with its suffix
// and then another domain. A dot, a hyphen or a non-ASCII character may separate them:
// "paypal.com-login.example.net". The suffix of any country counts, too, since the owner can have a
// domain there, and so does "com" after a long name. after is the rest of the host, and tlds are
// the top-level domains that exist.
func (d *protectedDomain) continues(after string, tlds *tld.Set) bool {
	if isSuffix(after) {
		return false
	}
	if d.readsOn(after) {
		// Services name a part of the world so: "example.eu.auth0.com".
		const region = 2
		return len(d.suffix) != region || !goesOn(after, d.suffix) || !isOfCustomers(hostname.Canonical(after))
	}
	if goesOn(after, "com") && utf8.RuneCountInString(d.word) >= minFar && !ordinary[d.word] {
		return true
	}
	suffix := countrySuffix(after, tlds)
	if suffix == "" || !goesOn(after, suffix) {
		return false
	}
	if strings.Contains(suffix, ".") {
		return true
	}
	// "my" and "it" begin many labels: "slack.my-company.example". "eu" and "us"
	// name a part of the world in hosts of companies: "slack.eu.example.com".
	label, _, _ := strings.Cut(after, ".")
	if label == suffix && isOfCustomers(hostname.Canonical(after)) {
		return false // "example.my.salesforce.com"
	}
	return suffix != "eu" && suffix != "us" && !impersonated.Marked(d.domain, markProgram) && (label == suffix || hasLure(label) || label[len(suffix)] >= utf8.RuneSelf)
}

// readsOn reports whether the rest of a host after a name begins with the suffix of the domain and
// goes on with another domain. A suffix that looks like it counts, too.
func (d *protectedDomain) readsOn(after string) bool {
	return !isSuffix(after) && (goesOn(after, d.suffix) || goesOnAlike(after, d.suffix))
}

// readsAs reports whether a label and the rest of the host read as a domain like d, with another
// domain after it: "paypall.com.example.net". It is false if the first domain is a popular site.
func (d *protectedDomain) readsAs(label, after string) bool {
	return d.readsOn(after) && !popularSites().has(label+"."+d.suffix)
}
