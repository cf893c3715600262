package policy

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// transliterations are the ways to write letters of other alphabets, and letters with marks, in
// ASCII: as in passports, and as in English texts.
var transliterations = [...]*strings.Replacer{
	strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "å", "aa", "ø", "oe", "æ", "ae", "œ", "oe", "ł", "l", "đ", "d", "ð", "d", "þ", "th",
		"а", "a", "б", "b", "в", "v", "г", "g", "ґ", "g", "д", "d", "е", "e", "ё", "e", "є", "ie", "ж", "zh", "з", "z", "и", "i", "і", "i", "ї", "i", "й", "i", "к", "k", "л", "l", "м", "m",
		"н", "n", "о", "o", "п", "p", "р", "r", "с", "s", "т", "t", "у", "u", "ф", "f", "х", "kh", "ц", "ts", "ч", "ch", "ш", "sh", "щ", "shch", "ъ", "", "ы", "y", "ь", "", "э", "e", "ю", "iu", "я", "ia",
		"ђ", "dj", "ј", "j", "љ", "lj", "њ", "nj", "ћ", "c", "џ", "dz",
		"ου", "ou", "α", "a", "β", "v", "γ", "g", "δ", "d", "ε", "e", "ζ", "z", "η", "i", "θ", "th", "ι", "i", "κ", "k", "λ", "l", "μ", "m", "ν", "n", "ξ", "x", "ο", "o", "π", "p", "ρ", "r", "σ", "s", "ς", "s",
		"τ", "t", "υ", "y", "φ", "f", "χ", "ch", "ψ", "ps", "ω", "o", "ά", "a", "έ", "e", "ή", "i", "ί", "i", "ό", "o", "ύ", "y", "ώ", "o", "ϊ", "i", "ϋ", "y"),
	strings.NewReplacer("ä", "a", "ö", "o", "ü", "u", "ß", "ss", "å", "a", "ø", "o", "æ", "a",
		"а", "a", "б", "b", "в", "v", "г", "h", "ґ", "g", "д", "d", "е", "e", "ё", "yo", "є", "ye", "ж", "zh", "з", "z", "и", "y", "і", "i", "ї", "yi", "й", "y", "к", "k", "л", "l", "м", "m",
		"н", "n", "о", "o", "п", "p", "р", "r", "с", "s", "т", "t", "у", "u", "ф", "f", "х", "h", "ц", "c", "ч", "ch", "ш", "sh", "щ", "sch", "ъ", "", "ы", "y", "ь", "", "э", "e", "ю", "yu", "я", "ya",
		"ού", "ou", "ου", "u", "α", "a", "β", "b", "γ", "g", "δ", "d", "ε", "e", "ζ", "z", "η", "h", "θ", "th", "ι", "i", "κ", "k", "λ", "l", "μ", "m", "ν", "n", "ξ", "ks", "ο", "o", "π", "p", "ρ", "r", "σ", "s", "ς", "s",
		"τ", "t", "υ", "u", "φ", "ph", "χ", "h", "ψ", "ps", "ω", "w"),
	strings.NewReplacer("г", "g", "х", "h", "и", "i", "й", "y", "ю", "yu", "я", "ya", "ц", "ts", "ё", "e",
		"а", "a", "б", "b", "в", "v", "д", "d", "е", "e", "ж", "zh", "з", "z", "к", "k", "л", "l", "м", "m", "н", "n", "о", "o", "п", "p", "р", "r", "с", "s", "т", "t", "у", "u", "ф", "f", "ч", "ch", "ш", "sh", "щ", "sch",
		"ъ", "", "ы", "y", "ь", "", "э", "e"),
}

// aliasesOf returns the spellings of a non-ASCII name in ASCII: without its marks, and
// transliterated.
func aliasesOf(name string) (aliases []string) {
	if ascii.Is(name) {
		return nil
	}
	add := func(alias string) {
		if ascii.Is(alias) && len(alias) >= minOwnTyped && !slices.Contains(aliases, alias) {
			aliases = append(aliases, alias)
		}
	}
	for _, t := range transliterations {
		add(fold(t.Replace(name)))
	}
	return aliases
}
