package policy

import (
	"fmt"

	"github.com/linkmilter/linkmilter/engine/ucd"
)

// japanese are the scripts beside which the characters of kanaLikes are text.
var japanese = ucd.Scripts(ucd.ScriptHira, ucd.ScriptKana, ucd.ScriptHani, ucd.ScriptBopo)

// kanaLikes are characters of Japanese and Chinese that look like the syntax
// of a URL or like a hyphen where no such text is around them, with what they
// look like.
var kanaLikes = map[rune]string{
	'ー': "-",  // prolonged sound mark
	'一': "-",  // Han one
	'・': ".",  // katakana middle dot
	'ノ': "/",  // katakana no
	'ソ': "/",  // katakana so
	'ン': "/",  // katakana n
	'ゝ': "/",  // hiragana iteration mark
	'ヽ': "\\", // katakana iteration mark
	'丶': "\\", // Han dot
	'丿': "/",  // Han slash
	'丨': "l",  // Han line
	'ニ': "=",  // katakana ni
	'二': "=",  // Han two
}

// kana reports characters of kanaLikes with no Japanese or Chinese character
// next to them, and the prolonged sound mark and the middle dot where they
// cannot stand: at the start, or next to what is no kana or Han.
func (g *judgement) kana(label, s string) {
	runes := []rune(s)
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
			wrong = !before || !after
		default:
			wrong = len(runes) > 1 && !before && !after
		}
		if wrong {
			g.addHost(CodeSyntaxLookalike, SeverityMedium, label, fmt.Sprintf("%U, out of place, looks like %q", r, like))
			return
		}
	}
}

// isJapanese reports whether r is a character of Japanese or Chinese text.
func isJapanese(r rune) bool {
	return !ucd.IdentityOf(r).Extensions().And(japanese).IsEmpty()
}
