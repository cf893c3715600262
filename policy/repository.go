package policy

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
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

// moduleHosts are domains that modules of Go are named after; their source is on code hosts.
var moduleHosts = map[string]bool{"etcd.io": true, "golang.org": true, "gopkg.in": true, "gorm.io": true, "k8s.io": true, "opentelemetry.io": true, "uber.org": true}

// isModule reports whether a text names a module of Go at the page of its source or of its
// documentation, as mail of Dependabot does: "golang.org/x/net" for https://github.com/golang/net.
func isModule(named, target engine.Link) bool {
	c := named.Components()
	if c.Scheme != "" || named.Kind == engine.KindEmail || len(c.Path) < len("/x") || c.Userinfo != "" {
		return false
	}
	host := target.ASCIIHost()
	return codeHosts[host] && moduleHosts[hostname.Registrable(named.ASCIIHost())] ||
		host == "pkg.go.dev" && strings.HasPrefix(target.Components().Path, "/"+c.Host+c.Path)
}
