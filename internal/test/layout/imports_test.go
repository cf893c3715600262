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
	"internal/ucd":     {},
	"internal/ucd/gen": {},
	"engine/tld":       {"internal/ucd"},
	"engine/tld/gen":   {},
	"engine":           {"internal/ucd", "engine/tld", "internal/recent"},
	"policy/uts39":     {"internal/ucd"},
	"policy":           {"engine", "engine/tld", "internal/ucd", "policy/uts39"},
	"mime":             {},
	"filter":           {"engine", "filter/alternative", "filter/header", "filter/htmlpart", "filter/rule", "internal/pattern", "mailauth", "mime", "policy"},
	"milter":           {"filter", "filter/header", "filter/rule", "internal/mailserver", "mime"},
	"mailauth":         {"mime"},
	"contentfilter":    {"filter", "filter/rule", "internal/mailserver", "internal/printable", "mime"},

	"filter/alternative": {},
	"filter/header":      {"mailauth", "mime"},
	"filter/htmlpart":    {},
	"filter/rule":        {"internal/pattern", "mailauth", "policy"},
	"internal/pattern":   {},

	"internal/admin":        {},
	"internal/bom":          {},
	"internal/config":       {"contentfilter", "engine", "engine/tld", "filter", "filter/rule", "internal/bom", "internal/mailserver", "internal/tlds", "mailauth", "milter", "mime", "policy"},
	"internal/test/dkim":    {},
	"internal/demo":         {"filter", "internal/mailserver", "internal/printable", "milter", "mime"},
	"internal/test/e2e":     {"internal/test/hostile", "internal/test/dns", "internal/test/env"},
	"internal/test/hostile": {},
	"internal/test/layout":  {},
	"internal/test/load":    {},
	"internal/logging":      {},
	"internal/mailserver":   {"filter", "filter/rule", "internal/printable"},
	"internal/metrics":      {"engine", "internal/ucd", "filter", "filter/rule", "internal/mailserver", "mime", "policy"},
	"internal/printable":    {},
	"internal/recent":       {},
	"internal/service": {
		"contentfilter", "engine", "filter", "internal/admin", "internal/config", "internal/logging", "internal/mailserver", "internal/metrics", "internal/tlds", "milter", "policy",
	},
	"internal/test/dns":     {},
	"internal/test/env":     {},
	"internal/test/compare": {},
	"internal/tlds":         {"engine/tld", "internal/bom"},

	"cmd/linkmilter": {"engine", "internal/ucd", "filter", "filter/header", "filter/rule", "internal/bom", "internal/config", "internal/demo", "internal/mailserver", "internal/printable", "internal/service", "internal/tlds", "mailauth", "policy", "policy/uts39"},
}

// mustNotKnow lists what of the standard library a package stays away from.
// The engine and what it stands on do no I/O and no logging; a message is
// bytes to mime and filter, never a socket.
var mustNotKnow = map[string][]string{
	"internal/ucd":       {"net", "os", "log", "log/slog", "io/fs", "mime"},
	"engine/tld":         {"net", "net/http", "os", "log", "log/slog", "io/fs", "mime"},
	"engine":             {"net", "net/http", "net/mail", "os", "log", "log/slog", "io/fs", "mime"},
	"policy/uts39":       {"net", "net/http", "os", "log", "log/slog", "io/fs", "mime"},
	"policy":             {"net", "net/http", "os", "log", "log/slog", "io/fs", "mime"},
	"mime":               {"net", "net/http", "os", "log", "log/slog", "io/fs"},
	"filter/alternative": {"net", "net/http", "os", "log", "log/slog", "io/fs"},
	"filter/header":      {"net", "net/http", "os", "log", "log/slog", "io/fs"},
	"filter/htmlpart":    {"net", "net/http", "os", "log", "log/slog", "io/fs"},
	"filter/rule":        {"net", "net/http", "os", "log", "log/slog", "io/fs"},
	"mailauth":           {"net/http", "log", "log/slog"},
	"filter":             {"net", "net/http", "os", "log", "io/fs"},
}

func TestImportsRunOneWay(t *testing.T) {
	packages := listPackages(t, "ImportPath,Imports")
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
