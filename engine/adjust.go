package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// This file holds what default mode knows about text: the marks, words and scripts of
// the adjustments that Options.Strict lists. None of them applies in strict mode. Each
// function that makes an adjustment names it in its comment.

// closers are the marks that people put around a link: each opening mark with the marks that may close
// it (adjustment "marks").
var closers = map[rune]string{
	'*': "*", '_': "_", '~': "~", '|': "|", '`': "`", '\'': "'", '"': `"`,
	'“': "”", '„': "“”„", '‟': "”", '”': "”", '«': "»", '»': "«»", '‹': "›", '›': "‹›", '‘': "’", '‚': "‘’", '’': "’",
}

// mayBeMark has the last byte of each opening mark of closers.
var mayBeMark = func() (t [256]bool) {
	for r := range closers {
		s := string(r)
		t[s[len(s)-1]] = true
	}
	return t
}()

// isWordMark reports whether a closing mark may also be an ordinary character inside a word of a URL,
// as in a_b and d'eau.
func isWordMark(r rune) bool { return strings.ContainsRune("*_~'’", r) }

// isTextEnd reports whether r is punctuation that ends a sentence or a clause, and so ends a path that
// is ASCII up to there (adjustment "punctuation behind ASCII"). It is the non-ASCII punctuation that
// UTS #58 drops at the end of a link, except quotation marks and dots in words.
func isTextEnd(r rune) bool {
	return r >= utf8.RuneSelf && r != '·' && r != '․' && ucd.LinkTermOf(r) == ucd.Soft && unicode.Is(unicode.Po, r)
}

// isWordEnd reports whether r ends an ASCII path after a letter or digit: a long dash or a double
// quotation mark.
func isWordEnd(r rune) bool { return strings.ContainsRune("—―“”„‟«»", r) }

// isTextBracket reports whether r opens a bracket of East Asian text.
func isTextBracket(r rune) bool {
	switch r {
	case '（', '【', '「', '『', '《', '〈', '〔', '〖', '［', '｛':
		return true
	}
	return false
}

// isTagStart reports whether r begins markup or a URL in angle brackets, which mail programs write
// directly after a link: https://example.com/a<https://example.com/a> (adjustment "less-than sign").
// Browsers escape it, so a copied URL has none.
func isTagStart(r rune) bool { return r == '<' }

// isTrailing reports whether r is a dash or an ellipsis, which writers put directly after a link
// (adjustment "dashes").
func isTrailing(r rune) bool {
	switch r {
	case '…', '‥', '⋯', '—', '―', '–', '‒', '⸺', '⸻':
		return true
	}
	return false
}

// endsDirection reports whether r ends a direction embedding or isolate, or is a direction mark. Texts
// have such characters directly after a link (adjustment "dashes").
func endsDirection(r rune) bool {
	switch r {
	case '\u202c', '\u2069', '\u200e', '\u200f', '\u061c':
		return true
	}
	return false
}

// isEmojiPart reports whether r is a symbol, or a character that occurs only with a symbol.
func isEmojiPart(r rune) bool {
	return ucd.HostClassOf(r) == ucd.HostSymbol || r == variationSelector || r == zeroWidthJoiner || isSkinTone(r)
}

// textSigns are signs that texts have in front of a host, and that host names hardly have: © and ®,
// arrows, pointing hands, box lines, geometric shapes, stars and notes (adjustment "punctuation").
var textSigns = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0xa9, 0xa9, 1},
		{0xae, 0xae, 1},
		{0x2190, 0x21ff, 1},
		{0x226a, 0x226b, 1},
		{0x2500, 0x257f, 1},
		{0x25a0, 0x25ff, 1},
		{0x2605, 0x2606, 1},
		{0x261a, 0x261f, 1},
		{0x2669, 0x266f, 1},
		{0x2794, 0x2794, 1},
		{0x2798, 0x27af, 1},
		{0x27b1, 0x27be, 1},
		{0x27f0, 0x27ff, 1},
		{0x2900, 0x297f, 1},
		{0x2b00, 0x2b11, 1},
		{0x2b30, 0x2b4f, 1},
		{0x2b5a, 0x2bb8, 1},
	},
	R32:         []unicode.Range32{{0x1f446, 0x1f449, 1}, {0x1f598, 0x1f5a3, 1}, {0x1f800, 0x1f8ff, 1}},
	LatinOffset: 2,
}

// isEmojiSuffix reports whether r occurs only after a symbol: a joiner, or a selector of text or emoji
// form.
func isEmojiSuffix(r rune) bool {
	return r == textSelector || r == variationSelector || r == zeroWidthJoiner
}

// letterEmoji is the only letter that becomes a symbol by the selector after it.
const letterEmoji = "\u2139\ufe0f"

// keycap makes an emoji of the digit in front of it. A variation selector may be between them.
const keycap = "\u20e3"

// keycapLen returns the length in bytes of the keycap emoji at the start of s, or 0.
func keycapLen(s string) int {
	if classAt(s, 0)&digitByte == 0 {
		return 0
	}
	rest, ok := strings.CutPrefix(strings.TrimPrefix(s[1:], string(variationSelector)), keycap)
	if !ok {
		return 0
	}
	return len(s) - len(rest)
}

// particles are words that texts put directly after a link, without a space: after ASCII letters and in
// front of other text (adjustment "particles"). Particles of a single character that begins many other
// words need two ASCII characters in front of them.
var particles = byFirstRune(strings.Fields(`
	を から まで より にて へ に で は が という とは です ください
	的 了解 查看 下载 下載 获取 獲取 即可 或者 以及 进行 進行 登录 登錄 登入 注册 註冊 参考 參考 提交 报名 報名 查询 查詢
	填写 填寫 观看 觀看 阅读 閱讀 领取 領取 购买 購買 申请 申請 加入 安装 安裝 打开 打開 进入 進入 浏览 瀏覽 预约 預約
	ครับ ค่ะ คะ นะ ได้ เพื่อ และ หรือ แล้ว เลย ก่อน
	ໄດ້ ເພື່ອ ແລະ ຫຼື
	ដើម្បី និង បាន
	ကို မှာ တွင် သို့ မှ နှင့်`))

// endings are particles only if nothing else follows them up to a space or punctuation.
var endings = setOf(`
	를 을 에 에서 에서는 에서도 에서만 에서의 에는 에도 에게 로 으로 로는 으로는 로도 으로도 로만 으로만 로의 으로의 은 는 이 가 의 과 와 도 만
	까지 까지는 부터 부터는 이나 나 이라는 라는 이며 며 이고 고 입니다 이에요 예요 이다 로부터 으로부터 보다 처럼 이라고 라고 뿐
	吧 呢 哦 喔 嘛 啊 呀 啦 喇 等 中 上`)

// apostropheSuffixes are suffixes that follow a name and an apostrophe: those of Turkish and
// Azerbaijani, and the English genitive (adjustment "suffixes").
var apostropheSuffixes = setOf(`s
	a e ı i u ü ya ye yı yi yu yü da de ta te dan den tan ten ın in un ün nın nin nun nün daki deki taki teki la le yla yle ki dır dir tır tir
	ə yə də dən nə ndə`)

// colonSuffixes are suffixes that follow a name and a colon, as in Finnish and Swedish.
var colonSuffixes = setOf("n s ssa ssä sta stä lla llä lta ltä lle een iin hen ään")

// maxEnding is the length in bytes of the longest of endings.
const maxEnding = 15

// particleStarts are the first characters of particles and endings, each at its value modulo the length
// of the table.
var particleStarts = func() (t [1024]bool) {
	for r := range particles {
		t[r%1024] = true
	}
	for word := range endings {
		r, _ := utf8.DecodeRuneInString(word)
		t[r%1024] = true
	}
	return t
}()

// mayBeParticle reports whether r may begin a word of particles or endings.
func mayBeParticle(r rune) bool { return r >= 0x0e00 && particleStarts[r%1024] }

func setOf(words string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

func byFirstRune(words []string) map[rune][]string {
	m := make(map[rune][]string)
	for _, word := range words {
		r, _ := utf8.DecodeRuneInString(word)
		m[r] = append(m[r], word)
	}
	return m
}

// suffixScripts are the scripts whose letters form a suffix directly after an ASCII host. Scripts with
// letters that look like Latin ones are left out.
var suffixScripts = []*unicode.RangeTable{
	unicode.Arabic, unicode.Bengali, unicode.Devanagari, unicode.Ethiopic, unicode.Georgian, unicode.Gujarati, unicode.Gurmukhi,
	unicode.Hebrew, unicode.Kannada, unicode.Malayalam, unicode.Mongolian, unicode.Nko, unicode.Oriya, unicode.Sinhala, unicode.Syriac,
	unicode.Tamil, unicode.Telugu, unicode.Thaana, unicode.Tibetan,
}

// prefixScripts are the scripts, in addition to those written without spaces, whose words may touch the
// start of an ASCII host or local-part. They are right-to-left scripts, Ethiopic and Tibetan.
var prefixScripts = []*unicode.RangeTable{
	unicode.Arabic, unicode.Ethiopic, unicode.Hebrew, unicode.Nko, unicode.Syriac, unicode.Thaana, unicode.Tibetan,
}

// tatweel lengthens Arabic words, and joins a prefix to a foreign word.
const tatweel = 'ـ'

// isSuffixLetter reports whether r is a letter of suffixScripts.
func isSuffixLetter(r rune) bool { return r >= 0x0590 && unicode.In(r, suffixScripts...) }

// isPrefixLetter reports whether an ASCII name after the letter r begins after r, although nothing
// separates the two.
func isPrefixLetter(r rune) bool {
	return isSpaceless(r) || r >= 0x0590 && (unicode.In(r, prefixScripts...) || r == tatweel)
}

// isTitle reports whether a two-letter top-level domain is in title case, like the first word of a
// sentence: Thanks.It (adjustment "sentence").
func isTitle(tld string) bool {
	if len(tld) > 4 || utf8.RuneCountInString(tld) != 2 {
		return false
	}
	first, size := utf8.DecodeRuneInString(tld)
	second, _ := utf8.DecodeRuneInString(tld[size:])
	return unicode.IsUpper(first) && unicode.IsLower(second)
}

// isOutside reports whether the character at the offset k, after a closing mark, shows that no word or
// URL goes on there.
func isOutside(text string, k int) bool {
	switch c := byteAt(text, k); {
	case c <= ' ', c >= utf8.RuneSelf:
		return true
	case strings.IndexByte(".:?", c) >= 0:
		return classAt(text, k+1)&alnumByte == 0
	default:
		return strings.IndexByte("()[]{}<>*_~|\"'`,;!", c) >= 0
	}
}
