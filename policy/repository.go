package policy

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
)

// isRepository reports whether a text names a repository at the target, which has the name of a
// site: the text "acme/www.acme.com" of a link to https://github.com/acme/www.acme.com/pull/1.
func isRepository(text string, named, target engine.Link) bool {
	c := named.Components()
	if c.Scheme != "" || named.Kind == engine.KindEmail || !codeHosts[target.ASCIIHost()] {
		return false
	}
	slash := named.Start - 1
	if slash < 0 || named.Start > len(text) || text[slash] != '/' {
		return false
	}
	owner := slash
	for owner > 0 && (ascii.IsAlphanumeric(text[owner-1]) || strings.IndexByte("-_.", text[owner-1]) >= 0) {
		owner--
	}
	name := "/" + text[owner:slash] + "/" + c.Host + "/"
	return owner < slash && strings.Contains(strings.ToLower(target.Components().Path+"/"), strings.ToLower(name))
}
