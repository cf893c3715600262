package filter

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// defang returns the text of a link in a form in which neither linkmilter nor any other program
// finds a link or a nested URL. People can still read it:
// "hxxps[:]//example[.]com/?u=http[:]//example[.]org". The letters of the schemes that open
// something in a browser are changed at the start only, where readers look.
//
// Links begin with a scheme and a colon, hold a dot between labels or an at sign, in ASCII or one
// of the forms that UTS #46 maps to it. All of these that are left are alone between brackets. No
// label, scheme or local part can be beside a bracket.
func defang(text string) string {
	for _, scheme := range [...]struct{ live, dead string }{{"http", "hxxp"}, {"ftp", "fxp"}} {
		if ascii.HasPrefixFold(text, scheme.live) {
			rest := text[len(scheme.live):]
			if name, _, ok := strings.Cut(rest, ":"); ok && (name == "" || strings.EqualFold(name, "s")) {
				text = scheme.dead + rest
			}
		}
	}
	return defanged.Replace(text)
}

// defanged brackets what makes links.
var defanged = strings.NewReplacer(
	".", "[.]", "\u3002", "[.]", "\uff0e", "[.]", "\uff61", "[.]", // UTS #46 §2.3
	"@", "[@]", "\uff20", "[@]", "\ufe6b", "[@]",
	":", "[:]", "\uff1a", "[:]", "\ufe55", "[:]", "\ufe13", "[:]",
)
