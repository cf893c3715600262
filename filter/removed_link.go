package filter

import (
	"slices"
	"strings"
	"unicode"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/filter/judge"
	"github.com/linkmilter/linkmilter/filter/page"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/htmledit"
	"github.com/linkmilter/linkmilter/internal/piece"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// A language is a language tag such as "de", in which linkmilter tells a reader why a link was removed.
type language string

// defaultLanguage is used for languages that lists/removed_link.txt lacks.
const defaultLanguage language = "en"

// removedLink returns the explanation that is shown after a text whose link was removed.
func removedLink(j *judge.Judge, in language, found *report.Found) string {
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
	text := removedLinks.Value(string(in) + "/" + cause)
	return " [" + strings.Replace(text, "%s", name, 1) + "]"
}

// saysRemoved reports whether a text begins with what removedLink returns for some cause.
func saysRemoved(in language, text string) bool {
	for key, value := range removedLinks.All() {
		before, _, _ := strings.Cut(value, "%s")
		if strings.HasPrefix(key, string(in)+"/") && strings.HasPrefix(text, " ["+before) {
			return true
		}
	}
	return false
}

// nameIn returns the host that a link looks like, read from the detail of a finding, or "". The detail
// may also name the host that redirects, before ", which ", and the owner, after " but ".
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

// languageOf returns the language of an HTML text: that of its root element, else that of the
// Content-Language fields, else the language that its letters suggest.
func languageOf(source string, fields []string) language {
	for _, tag := range append([]string{htmledit.Language(source)}, fields...) {
		tag, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
		tag, _, _ = strings.Cut(tag, ",")
		if removedLinks.Has(tag + "/other") {
			return language(tag)
		}
	}
	return byLetters(source)
}

// scripts are the scripts that suggest a language.
var scripts = []struct {
	language language
	script   *unicode.RangeTable
}{
	{"ar", unicode.Arabic},
	{"hi", unicode.Devanagari},
	{"ja", unicode.Hiragana},
	{"ja", unicode.Katakana},
	{"ru", unicode.Cyrillic},
	{"zh", unicode.Han},
}

// lettersRead is how many bytes of HTML are read to guess its language.
const lettersRead = 32 << 10

// byLetters returns the language that most letters of an HTML text suggest. Han counts as Japanese if
// there is kana, because Japanese has Han, too.
func byLetters(source string) language {
	counts := make(map[language]int)
	latin := 0 // counted apart from the map: most letters are Latin
	for _, text := range textsFrom(source, 0, lettersRead) {
		for _, r := range text.Shown {
			if r < 0x370 {
				if unicode.IsLetter(r) {
					latin++
				}
				continue
			}
			for _, s := range scripts {
				if unicode.Is(s.script, r) {
					counts[s.language]++
				}
			}
		}
	}
	counts[defaultLanguage] = latin
	if counts["ja"] > 0 {
		counts["ja"] += counts["zh"]
	}
	best := defaultLanguage
	for _, s := range scripts {
		if counts[s.language] > counts[best] {
			best = s.language
		}
	}
	return best
}

// textsFrom returns the texts of at most most bytes of HTML from an offset on.
func textsFrom(source string, at, most int) []htmledit.Text {
	end := len(source)
	if end-at > most {
		end = piece.RuneStart(source, at+most)
	}
	return htmledit.Texts(source, at, end)
}

// languages returns the fields Content-Language of the part and of the message.
func (r *reading) languages(t *text) []string {
	var values []string
	for _, f := range t.leaf.Fields {
		if strings.EqualFold(f.Name, "Content-Language") {
			values = append(values, r.message.FieldValue(f))
		}
	}
	return slices.Concat(values, r.values("Content-Language"))
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
