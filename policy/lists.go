package policy

import (
	"embed"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/internal/wordlist"
)

//go:embed lists/*.txt
var listFiles embed.FS

// The lists of domains and words that the rules use. The head of each file says what it has.
// lists/brands.txt has another form: brand_list.go reads it.
var (
	addedWords    = readList("added_words")
	companyForms  = readList("company_forms")
	companyWords  = readList("company_words")
	cyrillicWords = readList("cyrillic_words")
	fileSuffixes  = readList("file_suffixes")
	freeHosts     = readList("free_hosts")
	honestNames   = readList("honest_names")
	honestWords   = readList("honest_words")
	impersonated  = readList("impersonated")
	lures         = readList("lures")
	nameWords     = readList("name_words")
	otherNames    = readList("other_names")
	owners        = readList("owners")
	paymentWords  = readList("payment_words")
	services      = readList("services")
	shorteners    = readList("shorteners")
	writers       = readList("writers")
)

// Marks of impersonated domains.
const (
	markTenants   = "tenants"
	markPages     = "pages"
	markMailboxes = "mailboxes"
	markProgram   = "program"
	markWord      = "word"
)

// counters are services whose links open another URL. wrappers are those whose links show that URL,
// clickCounters those whose links may not.
var (
	counters      = readList("counters")
	wrappers      = counters.Where(func(_, where string) bool { return where != "" })
	clickCounters = counters.Where(func(host, where string) bool { return where == "" || counters.Marked(host, markCounter) })
)

// markCounter is the mark of a service that counts clicks although some of its links show their target.
const markCounter = "counter"

// Marks of services.
const (
	markAnybody  = "anybody"
	markDelivery = "delivery"
)

// markSenders marks a domain in the list of owners that is the owner's only as a sender, not as the
// target of links.
const markSenders = "senders"

// markOthers marks a lure that others may honestly have beside the name of a company.
const markOthers = "others"

// markOwn marks an added word that people have in their own address at a provider of mailboxes.
const markOwn = "own"

// markOwners is the mark of an added word that owners of brands have beside their name in domains of theirs.
const markOwners = "owners"

// markCompany is the mark of an added word that companies have, so that it says nothing beside the name of a brand.
const markCompany = "company"

// readList returns the list in a file below lists.
func readList(name string) *wordlist.List {
	text, err := listFiles.ReadFile("lists/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	return wordlist.MustParse(string(text))
}

// A latinLike is the Latin text that a letter reads as. A letter with inNames counts only in
// display names, not in labels.
type latinLike struct {
	text    string
	inNames bool
}

// latinLikes has the letters and digits of other scripts that read as Latin ones.
var latinLikes = func() map[rune]latinLike {
	likes := make(map[rune]latinLike)
	for letter, value := range readList("latin_likes").All() {
		text, mark, _ := strings.Cut(value, " ")
		for _, r := range letter {
			likes[r] = latinLike{text, mark == "name"}
		}
	}
	return likes
}()

// Names of impersonated domains without their suffixes: all, those that are ordinary words, and
// those where the public has addresses.
var (
	impersonatedNames = namesMarked("")
	ordinary          = namesMarked(markWord)
	mailboxNames      = namesMarked(markMailboxes)
)

// namesMarked returns the names of impersonated domains with a mark, or of all for "".
func namesMarked(mark string) map[string]bool {
	names := make(map[string]bool)
	for domain := range impersonated.All() {
		if mark == "" || impersonated.Marked(domain, mark) {
			name, _, _ := strings.Cut(domain, ".")
			names[name] = true
		}
	}
	return names
}

// isHonestName reports whether a name is a word or a name of honest owners, or that of
// an impersonated domain.
func isHonestName(label string) bool {
	return honestWords.Has(label) || honestNames.Has(label) || impersonatedNames[label]
}

// A countryScript is the script that people of a country read beside Latin. unknown says that
// browsers do not expect it there.
type countryScript struct {
	script  ucd.Script
	unknown bool
}

// countryScripts has these scripts by the ASCII top-level domain of the country.
var countryScripts = func() map[string]countryScript {
	byName := make(map[string]ucd.Script)
	for _, script := range ucd.AllScripts().Append(nil) {
		byName[script.String()] = script
	}
	scripts := make(map[string]countryScript)
	for country, value := range readList("country_scripts").All() {
		name, mark, _ := strings.Cut(value, " ")
		script, ok := byName[name]
		if !ok {
			panic("script " + name + " of " + country + ": unknown")
		}
		scripts[country] = countryScript{script, mark == "unknown"}
	}
	return scripts
}()

// isBelow reports whether a host, A-labels, is in the list or below a host in it.
func isBelow(host string, list *wordlist.List) bool { return listed(host, list) != "" }

// listed returns the host in the list that a host, A-labels, is or is below; "" without one.
func listed(host string, list *wordlist.List) string {
	for host = strings.TrimSuffix(host, "."); !list.Has(host); {
		_, rest, ok := strings.Cut(host, ".")
		if !ok {
			return ""
		}
		host = rest
	}
	return host
}
