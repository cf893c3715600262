package filter

import (
	"slices"
	"strings"
	"unicode"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ascii"
	"github.com/linkmilter/linkmilter/internal/htmledit"
	"github.com/linkmilter/linkmilter/internal/piece"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// A language is one in which a reader learns why a link was removed: "de".
type language string

// defaultLanguage is that of messages in languages that removed_link.txt lacks.
const defaultLanguage language = "en"

// removedLink returns what is shown behind a text whose link was removed.
func (j *judge) removedLink(in language, found *report.Found) string {
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
			if name = j.nameIn(f.Detail); name != "" {
				cause = "lookalike"
			}
		default:
			continue
		}
		break
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

// nameIn returns the host that a link looks like, by the detail of a finding, or "". A detail may
// also name the host that the link passes on to, before ", which ", and the owner, behind " but ".
func (j *judge) nameIn(detail string) string {
	if i := strings.LastIndex(detail, ", which "); i >= 0 {
		detail = detail[i:]
	}
	detail, _, _ = strings.Cut(detail, " but ")
	for _, link := range j.finder.in(detail) {
		if link.Kind == engine.KindURL {
			if !ascii.Is(link.Text) {
				return link.ASCIIHost() // a text may be in a charset without its letters
			}
			return link.Text
		}
	}
	return ""
}

// languageOf returns the language of HTML: the language of its root element, else that of the
// fields Content-Language, else the one that its letters suggest.
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

// scripts are those that suggest a language.
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

// lettersRead is the number of bytes of HTML whose letters suggest its language.
const lettersRead = 32 << 10

// byLetters returns the language that most letters of HTML suggest. Kana outweigh Han, which
// Japanese has, too.
func byLetters(source string) language {
	counts := make(map[language]int)
	latin := 0 // most letters, so that they are not in the map
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

// textsFrom returns the texts of HTML in the next most bytes.
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

// withoutOpener returns the splices after which the place of a flagged link opens nothing, and
// false where the place is unknown. all says that every attribute goes, since others than the
// known ones open the link, too.
func withoutOpener(source string, found *report.Found, all bool) ([]htmledit.Splice, bool) {
	start, end := found.Link.Start, found.Link.End
	if tag, isTag := htmledit.TagAt(source, start); !isTag || tag.End != end {
		// A script, in which the link is a piece of code, or a link without a place of its own.
		return []htmledit.Splice{{Start: start, End: end}}, found.Place == report.PlaceHTMLLink && (start > 0 || end < len(source))
	}
	name := elementAt(source, start)
	splices := htmledit.WithoutAttributes(source, start, func(attribute string) bool {
		return all || opens(name, attribute)
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

// frames are elements that show the document of their src.
var frames = []string{"iframe", "frame", "embed", "fencedframe", "portal", "layer", "ilayer"}

// opens reports whether an attribute of an element may say what it opens. Both names are in
// lower case; that of the attribute may have a prefix.
func opens(element, attribute string) bool {
	local := attribute[strings.LastIndexByte(attribute, ':')+1:]
	switch local {
	case "href", "action", "formaction", "content", "srcdoc", "[href]", "data-amp-bind-href", "action-xhr", "verify-xhr":
		return true
	case "src":
		return slices.Contains(frames, element)
	case "data":
		return element == "object"
	case "value":
		return element == "data" || element == "meta" || element == "param"
	case "to", "from", "by", "values":
		return element == "set" || strings.HasPrefix(element, "animate")
	}
	return ascii.HasPrefixFold(local, "on") || strings.HasPrefix(element, "amp-")
}
