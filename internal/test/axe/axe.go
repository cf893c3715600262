// Package axe checks with axe-core whether people who cannot see a page, or have no mouse, can use
// it.
package axe

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/chromium"
	"github.com/linkmilter/linkmilter/internal/test/env"
)

// folder is the folder of this package, below the one with go.mod.
const folder = "internal/test/axe"

// Problems returns what axe-core finds serious or critical on a shown page. It
// skips the test, or fails it as package env says, without the packages of package.json.
func Problems(tb testing.TB, page *chromium.Page) []string {
	tb.Helper()
	path := filepath.Join(env.Root(tb), filepath.FromSlash(folder), "node_modules", "axe-core", "axe.min.js")
	source, err := os.ReadFile(path)
	if err != nil {
		env.Missing(tb, "the packages of "+folder+" (run `npm ci` there)")
	}
	var problems []string
	page.Evaluate(string(source)+`;axe.run(document, {resultTypes: ["violations"]}).then(found => found.violations
		.filter(v => v.impact == "serious" || v.impact == "critical")
		.map(v => v.id + ": " + v.help + ": " + v.nodes.map(n => n.html + " " + n.failureSummary).join("; ")))`, &problems)
	return problems
}
