package policy

import (
	"slices"
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

// moduleOwners has the accounts of GitHub with the source of the modules of Go that are named
// after a domain.
var moduleOwners = map[string][]string{
	"etcd.io": {"etcd-io"}, "golang.org": {"golang"}, "gorm.io": {"go-gorm"}, "k8s.io": {"kubernetes", "kubernetes-sigs"},
	"opentelemetry.io": {"open-telemetry"}, "uber.org": {"uber-go"},
}

// isModule reports whether a text names a module of Go at the page of its source or of its
// documentation, as mail of Dependabot does: "golang.org/x/net" for https://github.com/golang/net.
func isModule(named, target engine.Link) bool {
	c := named.Components()
	if c.Scheme != "" || named.Kind == engine.KindEmail || len(c.Path) < len("/x") || c.Userinfo != "" {
		return false
	}
	path := target.Components().Path
	switch target.ASCIIHost() {
	case "pkg.go.dev":
		module := "/" + c.Host + c.Path
		return strings.HasPrefix(path, module) || strings.HasPrefix(path, "/mod"+module)
	case "github.com":
		owner := firstOf(path)
		return slices.Contains(moduleOwners[hostname.Registrable(named.ASCIIHost())], owner) || named.ASCIIHost() == "gopkg.in" && gopkgOwner(c.Path) == owner
	}
	return false
}

// gopkgOwner returns the account of GitHub that has a module of gopkg.in: that of /yaml.v3 is
// go-yaml, that of /src-d/go-git.v4 is src-d.
func gopkgOwner(path string) string {
	first := firstOf(path)
	if name, _, hasVersion := strings.Cut(first, ".v"); hasVersion {
		return "go-" + name
	}
	return first
}

// firstOf returns the first segment of a path.
func firstOf(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}
