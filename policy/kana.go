package policy

import (
	"strings"

	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

// kanaLikes has characters of Japanese and Chinese that look like URL syntax, a
// hyphen or a letter outside such text, and the text that they look like.
var kanaLikes = map[rune]string{
	'ー': "-",  // prolonged sound mark
	'一': "-",  // Han one
	'・': ".",  // katakana middle dot
	'ノ': "/",  // katakana no
	'ソ': "/",  // katakana so
	'ン': "/",  // katakana n
	'ヽ': "\\", // katakana iteration mark
	'丶': "\\", // Han dot
	'丿': "/",  // Han slash
	'丨': "l",  // Han line
	'二': "=",  // Han two
}

// firstKanaLike is the first code point of the blocks that have the characters of kanaLikes.
const firstKanaLike = 0x3000

// strayKana reports the first character of kanaLikes without a Japanese or Chinese neighbour. The
// prolonged sound mark needs such a neighbour in front of it. The middle dot needs one after it
// and, unless it begins the label, one in front of it. s is the label without joiners.
func strayKana(label, s string) Finding {
	if strings.IndexFunc(s, func(r rune) bool { return r >= firstKanaLike }) < 0 {
		return Finding{}
	}
	runes := []rune(s)
	mixed := uts39.Analyze(s).Mixture() > uts39.SingleScriptOnly
	for i, r := range runes {
		like, ok := kanaLikes[r]
		if !ok {
			continue
		}
		before := i > 0 && isJapanese(runes[i-1])
		after := i+1 < len(runes) && isJapanese(runes[i+1])
		var wrong bool
		switch r {
		case 'ー':
			wrong = !before
		case '・':
			wrong = i > 0 && !before || !after
		default:
			// Labels of one writing system may have digits beside ideographs, as in 一123. At an end
			// of a label the character separates nothing.
			wrong = mixed && !before && !after && i > 0 && i+1 < len(runes)
		}
		if wrong {
			return kanaLikeSyntax.finding(label, r, like)
		}
	}
	return Finding{}
}

// isJapanese reports whether r is a character of Japanese or Chinese text.
func isJapanese(r rune) bool {
	return r >= 0 && !ucd.IdentityOf(r).Extensions().And(japanese).IsEmpty()
}
