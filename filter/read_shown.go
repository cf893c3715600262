package filter

import (
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/html"
	"github.com/linkmilter/linkmilter/policy"
)

// shownFor judges what is shown for a target: the text of the reference, and
// its labels. Of what names another domain it returns the worst finding.
func (f *Filter) shownFor(item *html.Item, target engine.Link) []policy.Finding {
	if f.Allows(target) {
		return nil
	}
	worst := f.textTarget(item.Text, target)
	for _, label := range item.Labels {
		label = policy.SeenText(label)
		if named := f.scanner.Append(nil, label); len(named) > 0 {
			findings := f.judge.LabelTarget(label, named, target)
			if len(findings) > 0 && (len(worst) == 0 || findings[0].Severity > worst[0].Severity) {
				worst = findings
			}
		}
	}
	return append(worst, f.judge.TurnedText(item.Text)...)
}

// textTarget judges a text that is shown for a target.
func (f *Filter) textTarget(text string, target engine.Link) []policy.Finding {
	if text == "" || f.Allows(target) {
		return nil
	}
	text = policy.SeenText(text)
	named := f.scanner.Append(nil, text)
	if len(named) == 0 {
		return nil
	}
	return f.judge.TextTarget(text, named, target)
}

// contentSchemes are schemes of URLs that hold what they open, or open files: a
// text that reads as a URL is there to mislead.
var contentSchemes = map[string]bool{"data": true, "file": true, "javascript": true, "vbscript": true}

// textScheme judges the text of a reference that opens no link.
func (f *Filter) textScheme(item *html.Item) []policy.Finding {
	scheme, _, _ := strings.Cut(item.URL, ":")
	if scheme = strings.ToLower(scheme); !contentSchemes[scheme] {
		return nil
	}
	text := policy.SeenText(item.Text)
	named := f.scanner.Append(nil, text)
	if len(named) == 0 {
		return nil
	}
	return f.judge.TextScheme(text, named, scheme)
}

// refusedHost judges the host of a URL that browsers refuse though its beginning,
// which is the link, is one: "https://example.net\uff03.example.com/".
func (f *Filter) refusedHost(url string, link engine.Link) []policy.Finding {
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
	return f.judge.RefusedHost(rest)
}
