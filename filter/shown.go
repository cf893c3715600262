package filter

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/htmlpart"
	"github.com/linkmilter/linkmilter/internal/scheme"
	"github.com/linkmilter/linkmilter/policy"
)

// shownFor judges the text of a reference and its labels against the target. Of
// the labels that name another domain it returns the worst finding.
func (j *judge) shownFor(item *htmlpart.Item, target engine.Link) []policy.Finding {
	if j.allows(target) {
		return nil
	}
	worst := j.textTarget(item.Text, target)
	for _, label := range item.Labels {
		label = policy.VisibleText(label)
		if named := j.finder.in(label); len(named) > 0 {
			findings := j.policy.LabelTarget(label, named, target)
			if len(findings) > 0 && (len(worst) == 0 || findings[0].Severity > worst[0].Severity) {
				worst = findings
			}
		}
	}
	return append(worst, j.policy.TextDirection(item.Text)...)
}

// textTarget judges a text that is shown for a target.
func (j *judge) textTarget(text string, target engine.Link) []policy.Finding {
	if text == "" || j.allows(target) {
		return nil
	}
	text = policy.VisibleText(text)
	named := j.finder.in(text)
	if len(named) == 0 {
		return nil
	}
	return j.policy.TextTarget(text, named, target)
}

// contentSchemes are schemes of URLs that hold their content, or open files. A text
// for them that reads as a web address misleads.
var contentSchemes = map[string]bool{"data": true, "file": true, "javascript": true, "vbscript": true}

// textScheme judges the text of a reference that opens no link.
func (j *judge) textScheme(item *htmlpart.Item) []policy.Finding {
	name, _ := scheme.Name(item.URL)
	if !contentSchemes[name] {
		return nil
	}
	text := policy.VisibleText(item.Text)
	named := j.finder.in(text)
	if len(named) == 0 {
		return nil
	}
	return j.policy.TextScheme(text, named, name)
}

// refusedHost judges the host of a URL that browsers refuse although its beginning,
// which is the link, has a valid one: "https://example.net\uff03.example.com/".
func (j *judge) refusedHost(url string, link engine.Link) []policy.Finding {
	if link.Start > 0 {
		return nil
	}
	_, rest, ok := strings.Cut(url, "//")
	if !ok {
		return nil
	}
	start := len(url) - len(rest)
	if i := strings.IndexAny(rest, `/\?#`); i >= 0 {
		rest = rest[:i]
	}
	if start+len(rest) <= link.End {
		return nil
	}
	return j.policy.RefusedAuthority(rest)
}

// namedFor judges a display name, and a local-part that reads as an address,
// against the address as a link.
func (j *judge) namedFor(name, address string, link engine.Link) []policy.Finding {
	if j.allows(link) {
		return nil
	}
	findings := j.textTarget(name, link)
	if len(findings) == 0 {
		findings = j.quotedAddress(address)
	}
	return append(findings, j.policy.TextDirection(name)...)
}

// quotedAddress judges an address with another one in its local-part, such as
// "service@example.com"@example.net, which readers take for the address.
func (j *judge) quotedAddress(address string) []policy.Finding {
	i := strings.LastIndexByte(address, '@')
	if i < 0 || !strings.Contains(address[:i], "@") {
		return nil
	}
	target, err := engine.ParseLink("x" + address[i:])
	if err != nil {
		return nil
	}
	return j.textTarget(strings.Trim(address[:i], `"`), target)
}
