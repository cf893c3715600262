package layout

import (
	"slices"
	"strings"
	"testing"
)

// mayImport says which of the project's own packages each one may import in
// its code (tests are free). Data flows one way: text to links to findings to
// a plan to the wire. A package that is not listed fails the test, so that
// every new one is given its place here.
var mayImport = map[string][]string{
	"contentfilter":          {"filter", "filter/rule", "internal/ascii", "internal/envelope", "internal/mailserver", "internal/printable", "internal/stream", "mime"},
	"engine":                 {"engine/tld", "internal/ascii", "internal/percent", "internal/recent", "internal/scheme", "internal/ucd"},
	"engine/linkify":         {"engine", "internal/piece"},
	"engine/tld":             {"internal/ucd"},
	"engine/tld/gen":         {},
	"filter":                 {"engine", "internal/alternative", "internal/claim", "filter/cost", "filter/header", "filter/judge", "internal/opening", "filter/page", "filter/rule", "filter/sender", "filter/textview", "internal/unseen", "internal/ascii", "internal/bidi", "internal/calendar", "internal/charset", "internal/cms", "internal/envelope", "internal/filekind", "internal/hostname", "internal/htmledit", "internal/language", "internal/mailauth", "internal/meter", "internal/pattern", "internal/percent", "internal/piece", "internal/report", "internal/rtf", "internal/scheme", "internal/script", "internal/sheet", "internal/stream", "internal/ucd", "internal/wordlist", "internal/xmltext", "mime", "policy"},
	"internal/claim":         {"internal/ascii", "internal/hostname", "policy"},
	"filter/cost":            {"engine", "internal/alternative", "filter/textview", "internal/ascii", "internal/htmledit", "internal/percent", "internal/report", "internal/scheme"},
	"filter/judge":           {"engine", "filter/page", "filter/rule", "filter/sender", "filter/textview", "internal/ascii", "internal/charset", "internal/hostname", "internal/pattern", "internal/percent", "internal/piece", "internal/report", "internal/scheme", "internal/script", "internal/wordlist", "policy", "policy/uts39"},
	"internal/opening":       {"internal/ascii", "internal/charset", "internal/filekind", "internal/meter", "internal/stream", "mime"},
	"filter/sender":          {"internal/spread"},
	"internal/unseen":        {"engine", "internal/report", "policy"},
	"filter/textview":        {"engine", "internal/ascii", "internal/scheme", "internal/ucd"},
	"internal/alternative":   {"internal/ascii", "internal/bidi", "internal/scheme"},
	"internal/calendar":      {"internal/ascii", "internal/charset", "internal/meter", "internal/percent"},
	"filter/header":          {"filter/rule", "internal/ascii", "internal/mailauth", "internal/percent", "internal/report", "mime", "policy"},
	"filter/page":            {"internal/ascii", "internal/charset", "internal/hostname", "internal/meter", "internal/percent", "internal/recent", "internal/scheme", "internal/script"},
	"filter/rule":            {"internal/envelope", "internal/mailauth", "internal/pattern", "policy"},
	"internal/mailauth":      {"internal/ascii", "internal/hostname", "internal/secretfile", "mime"},
	"milter":                 {"filter", "filter/header", "filter/rule", "internal/ascii", "internal/envelope", "internal/mailserver", "internal/stream", "mime"},
	"mime":                   {"internal/ascii", "internal/charset", "internal/meter", "internal/percent", "internal/stream"},
	"policy":                 {"engine", "engine/tld", "internal/ascii", "internal/hostname", "internal/pattern", "internal/percent", "internal/recent", "internal/spread", "internal/ucd", "internal/wordlist", "policy/uts39"},
	"policy/uts39":           {"internal/ascii", "internal/ucd"},
	"cmd/linkmilter":         {"engine", "filter", "filter/header", "filter/rule", "internal/ascii", "internal/bidi", "internal/config", "internal/correspondents", "internal/demo", "internal/envelope", "internal/eventlog", "internal/explain", "internal/filekind", "internal/history", "internal/hostname", "internal/lists", "internal/mailauth", "internal/mailserver", "internal/piece", "internal/printable", "internal/quarantine", "internal/record", "internal/rendering", "internal/report", "internal/service", "internal/stream", "internal/tlds", "internal/ucd", "mime", "policy", "policy/uts39"},
	"internal/admin":         {"internal/browser"},
	"internal/adminpage":     {"engine", "filter", "filter/rule", "internal/ascii", "internal/bidi", "internal/dnslist", "internal/envelope", "internal/history", "internal/hostname", "internal/lists", "internal/mailserver", "internal/printable", "internal/quarantine", "internal/rendering", "internal/report", "internal/ucd", "policy"},
	"internal/ascii":         {},
	"internal/bidi":          {},
	"internal/browser":       {},
	"internal/charset":       {"internal/ascii", "internal/meter"},
	"internal/cms":           {},
	"internal/config":        {"contentfilter", "engine", "engine/tld", "filter", "filter/header", "filter/rule", "internal/correspondents", "internal/dnslist", "internal/history", "internal/hostname", "internal/httpapi", "internal/lists", "internal/mailauth", "internal/mailserver", "internal/pattern", "internal/report", "internal/secretfile", "internal/stream", "internal/tlds", "milter", "mime", "policy"},
	"internal/demo":          {"filter", "internal/envelope", "internal/mailserver", "internal/mta", "internal/printable", "internal/report", "internal/service", "milter", "mime"},
	"internal/envelope":      {},
	"internal/eventlog":      {"internal/stream"},
	"internal/explain":       {"engine", "filter", "internal/ascii", "policy"},
	"internal/fetch":         {},
	"internal/history":       {"engine", "internal/hostname", "internal/mailserver", "internal/printable", "internal/report", "internal/sqlfile", "policy"},
	"internal/hostname":      {"internal/ascii"},
	"internal/htmledit":      {"internal/ascii", "internal/bidi", "internal/meter"},
	"internal/httpapi":       {"filter", "internal/browser", "internal/envelope", "internal/explain", "internal/mailserver", "internal/record", "internal/report", "internal/secretfile", "policy"},
	"internal/dnslist":       {"internal/hostname", "internal/recent", "policy"},
	"internal/language":      {},
	"internal/lists":         {"engine", "internal/ascii", "internal/fetch", "internal/hostname", "internal/printable", "internal/stream", "policy"},
	"internal/logging":       {},
	"internal/mailserver":    {"filter", "filter/rule", "internal/ascii", "internal/envelope", "internal/hostname", "internal/printable", "internal/report"},
	"internal/meter":         {},
	"internal/metrics":       {"engine", "filter", "filter/rule", "internal/dnslist", "internal/lists", "internal/mailserver", "internal/report", "internal/ucd", "milter", "mime", "policy"},
	"internal/mta":           {"mime"},
	"internal/pattern":       {"internal/hostname"},
	"internal/percent":       {"internal/ascii"},
	"internal/piece":         {},
	"internal/printable":     {"internal/ascii"},
	"internal/quarantine":    {"contentfilter", "filter/judge", "internal/ascii", "internal/pattern", "internal/printable", "mime"},
	"internal/recent":        {},
	"internal/record":        {"filter", "filter/header", "internal/report", "policy"},
	"internal/rendering":     {"internal/charset", "internal/printable", "mime"},
	"internal/report":        {"engine", "filter/rule", "internal/pattern", "policy"},
	"internal/rtf":           {"internal/ascii", "internal/charset"},
	"internal/scheme":        {"internal/ascii"},
	"internal/filekind":      {"internal/ascii", "internal/stream"},
	"internal/xmltext":       {"internal/charset", "internal/meter"},
	"internal/script":        {"internal/ascii", "internal/percent", "internal/scheme"},
	"internal/secretfile":    {},
	"internal/service":       {"contentfilter", "engine", "filter", "filter/rule", "internal/admin", "internal/adminpage", "internal/config", "internal/correspondents", "internal/dnslist", "internal/envelope", "internal/explain", "internal/history", "internal/httpapi", "internal/lists", "internal/logging", "internal/mailserver", "internal/metrics", "internal/quarantine", "internal/report", "internal/tlds", "milter", "policy"},
	"internal/sheet":         {"internal/ascii", "internal/meter"},
	"internal/spread":        {},
	"internal/sqlfile":       {},
	"internal/stream":        {},
	"internal/test/api":      {},
	"internal/test/axe":      {"internal/test/chromium", "internal/test/env"},
	"internal/test/chromium": {"internal/test/env"},
	"internal/test/dkim":     {},
	"internal/test/dns":      {},
	"internal/test/e2e":      {"internal/test/dns", "internal/test/env", "internal/test/hostile", "internal/test/manual", "mime"},
	"internal/test/env":      {"internal/ucd"},
	"internal/test/faults":   {},
	"internal/test/hostile":  {},
	"internal/test/layout":   {"internal/test/env"},
	"internal/test/letters":  {},
	"internal/test/linkify":  {"internal/test/env"},
	"internal/test/load":     {},
	"internal/test/long":     {},
	"internal/test/markup":   {},
	"internal/test/manual":   {"internal/test/env"},
	"internal/test/progress": {},
	"internal/test/traffic":  {"filter", "filter/rule", "internal/envelope", "internal/mta", "internal/test/load"},
	"internal/tlds":          {"engine/tld", "internal/fetch", "internal/stream"},
	"internal/ucd":           {},
	"internal/ucd/gen":       {"internal/ucd"},
	"internal/wordlist":      {},

	"internal/correspondents": {"filter/rule", "internal/hostname", "internal/mailserver", "internal/secretfile", "internal/sqlfile", "policy"},

	"internal/test/honestmail": {"internal/envelope"},
}

// mustNotKnow lists what of the standard library a package stays away from.
// The engine and the packages below it do no I/O and no logging; a message is
// bytes to mime and filter, never a socket.
var mustNotKnow = map[string][]string{
	"internal/ucd":         {"io/fs", "log", "log/slog", "mime", "net", "os"},
	"engine/tld":           {"io/fs", "log", "log/slog", "mime", "net", "net/http", "os"},
	"engine":               {"io/fs", "log", "log/slog", "mime", "net", "net/http", "net/mail", "os"},
	"engine/linkify":       {"io/fs", "log", "log/slog", "mime", "net", "net/http", "os"},
	"policy/uts39":         {"io/fs", "log", "log/slog", "mime", "net", "net/http", "os"},
	"policy":               {"io/fs", "log", "log/slog", "mime", "net", "net/http", "os"},
	"mime":                 {"io/fs", "log", "log/slog", "net", "net/http", "os"},
	"internal/alternative": {"io/fs", "log", "log/slog", "net", "net/http", "os"},
	"internal/calendar":    {"io/fs", "log", "log/slog", "net", "net/http", "os"},
	"internal/cms":         {"io/fs", "log", "log/slog", "net", "net/http", "os"},
	"internal/rtf":         {"io/fs", "log", "log/slog", "net", "net/http", "os"},
	"internal/sheet":       {"io/fs", "log", "log/slog", "net", "net/http", "os"},
	"filter/header":        {"io/fs", "log", "log/slog", "net", "net/http", "os"},
	"filter/page":          {"io/fs", "log", "log/slog", "net", "net/http", "os"},
	"filter/rule":          {"io/fs", "log", "log/slog", "net", "net/http", "os"},
	"internal/mailauth":    {"log", "log/slog", "net/http"},
	"internal/envelope":    {"io/fs", "log", "log/slog", "net", "net/http", "os"},
	"internal/report":      {"io/fs", "log", "log/slog", "net", "net/http", "os"},
	"filter":               {"io/fs", "log", "net", "net/http", "os"},
	"internal/ascii":       {"io/fs", "log", "log/slog", "mime", "net", "os"},
	"internal/charset":     {"io/fs", "log", "log/slog", "mime", "net", "net/http", "os"},
	"internal/percent":     {"io/fs", "log", "log/slog", "mime", "net", "os"},
	"internal/hostname":    {"io/fs", "log", "log/slog", "mime", "net", "os"},
	"internal/wordlist":    {"io/fs", "log", "log/slog", "mime", "net", "os"},
	"internal/scheme":      {"io/fs", "log", "log/slog", "mime", "net", "os"},
}

func TestImportsRunOneWay(t *testing.T) {
	packages := listPackages(t)
	if len(packages) < len(mayImport)/2 {
		t.Fatalf("only %d packages listed", len(packages))
	}
	for _, p := range packages {
		name := strings.TrimPrefix(p.ImportPath, module)
		allowed, known := mayImport[name]
		if !known {
			t.Errorf("package %s has no place in the layout: list what it may import", name)
			continue
		}
		for _, imp := range p.Imports {
			if own, ok := strings.CutPrefix(imp, module); ok && !slices.Contains(allowed, own) {
				t.Errorf("%s imports %s, which the layout does not allow", name, own)
			}
			if slices.Contains(mustNotKnow[name], imp) {
				t.Errorf("%s imports %s, which it must not know", name, imp)
			}
		}
	}
}
