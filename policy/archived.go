package policy

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/hostname"
)

// isArchived reports whether a target is the copy that the Internet Archive has of a page in the
// domain that a text names: https://web.archive.org/web/20130120074804/http://example.com/.
func isArchived(named, target engine.Link) bool {
	c := target.Components()
	path, ok := strings.CutPrefix(c.Path, "/web/")
	stamp, page, _ := strings.Cut(path, "/")
	if !ok || stamp == "" || !ascii.IsDigit(stamp[0]) || target.ASCIIHost() != "web.archive.org" {
		return false
	}
	if path = strings.ToLower(path); strings.Contains(path, `\`) || strings.Contains(path, "/.") || strings.Contains(path, "%2e") {
		return false // browsers may leave out the page: "/../"
	}
	if !strings.Contains(page, "://") {
		page = "http://" + page
	}
	copied, err := engine.ParseLink(page)
	if err != nil || copied.Components().Userinfo != "" {
		return false
	}
	domain := hostname.Registrable(copied.ASCIIHost())
	return domain != "" && domain == hostname.Registrable(named.ASCIIHost())
}
