package filter

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/page"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/htmledit"
	"github.com/linkmilter/linkmilter/internal/language"
	"github.com/linkmilter/linkmilter/internal/piece"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// removedLink returns the explanation that is shown after a text whose link was removed.
func removedLink(j *judge.Judge, in string, found *report.Found) string {
	cause, name := "other", ""
	for _, f := range found.Verdict.Findings {
		if f.Severity < policy.SeverityMedium {
			continue
		}
		switch f.Code {
		case policy.CodeBlocked:
			cause = "blocked"
		case policy.CodeTextTargetMismatch:
			cause = "mismatch"
		case policy.CodeLookalike:
			if name = nameIn(j, f.Detail); name != "" {
				cause = "lookalike"
			}
		default:
			continue
		}
		break
	}
	if j.FlagsAll() && found.Verdict.Worst() < policy.SeverityMedium {
		cause = "sender"
	}
	text := removedLinks.Value(in + "/" + cause)
	return " [" + strings.Replace(text, "%s", name, 1) + "]"
}

// Languages returns the languages in which linkmilter tells why a link was removed.
func Languages() (tags []string) {
	for key := range removedLinks.All() {
		if tag, isOther := strings.CutSuffix(key, "/other"); isOther {
			tags = append(tags, tag)
		}
	}
	slices.Sort(tags)
	return tags
}

func isLanguage(tag string) bool { return removedLinks.Has(tag + "/other") }

// languageOf returns the language for the readers of an HTML text. fields are those that declare it.
func languageOf(source string, fields []string, fallback string) string {
	const most = 32 << 10 // bytes of HTML that are read
	words := language.Words(func(yield func(string) bool) {
		for _, text := range textsFrom(source, 0, most) {
			if !yield(text.Shown) {
				return
			}
		}
	})
	return language.For(words, append([]string{htmledit.Language(source)}, fields...), isLanguage, fallback)
}

// languages returns the fields Content-Language of the part and of the message.
func (r *reading) languages(t *text) []string {
	var values []string
	for _, f := range t.leaf.Fields {
		if strings.EqualFold(f.Name, "Content-Language") {
			values = append(values, r.message.FieldValue(f))
		}
	}
	return append(values, r.values("Content-Language")...)
}

// saysRemoved reports whether a text begins with what removedLink returns for some cause. A server
// before this one may have told another language.
func saysRemoved(text string) bool {
	for _, value := range removedLinks.All() {
		before, _, _ := strings.Cut(value, "%s")
		if strings.HasPrefix(text, " ["+before) {
			return true
		}
	}
	return false
}

// nameIn returns the host that a link looks like, read from the detail of a finding, or "". The
// detail may also name the host that redirects, before ", which ", and the owner of the domain,
// after " but ".
func nameIn(j *judge.Judge, detail string) string {
	if i := strings.LastIndex(detail, ", which "); i >= 0 {
		detail = detail[i:]
	}
	detail, _, _ = strings.Cut(detail, " but ")
	for _, link := range j.Finder.In(detail) {
		if link.Kind == engine.KindURL {
			if !ascii.Is(link.Text) {
				return link.ASCIIHost() // a text may be in a charset without its letters
			}
			return link.Text
		}
	}
	return ""
}

// textsFrom returns the texts of at most most bytes of HTML from an offset on.
func textsFrom(source string, at, most int) []htmledit.Text {
	end := len(source)
	if end-at > most {
		end = piece.RuneStart(source, at+most)
	}
	return htmledit.Texts(source, at, end)
}

// withoutOpener returns the splices after which the place of a flagged link opens nothing, and false if
// the place is unknown. all removes every attribute: it is for a link that an unknown attribute still
// opened after a first edit.
func withoutOpener(source string, found *report.Found, all bool) ([]htmledit.Splice, bool) {
	start, end := found.Link.Start, found.Link.End
	if tag, isTag := htmledit.TagAt(source, start); !isTag || tag.End != end {
		// A script, in which the link is a piece of code, or a link without a place of its own.
		return []htmledit.Splice{{Start: start, End: end}}, found.Place == report.PlaceHTMLLink && (start > 0 || end < len(source))
	}
	name := elementAt(source, start)
	splices := htmledit.WithoutAttributes(source, start, func(attribute string) bool {
		return all || page.MayOpen(name, attribute)
	})
	return splices, len(splices) > 0
}

// elementAt returns the name of the element whose start tag is at an offset, in lower case
// and without a prefix.
func elementAt(source string, tag int) string {
	name := source[tag+1:]
	if i := strings.IndexAny(name, " \t\r\n\f/>"); i >= 0 {
		name = name[:i]
	}
	return strings.ToLower(name[strings.LastIndexByte(name, ':')+1:])
}
