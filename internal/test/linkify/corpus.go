package linkify

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Corpus returns n lines of text, the same for each seed: honest text in many scripts,
// and links beside everything that people and attackers put there.
func Corpus(seed uint64, n int) []string {
	g := generator{rand.New(rand.NewPCG(seed, 1))}
	lines := make([]string, n)
	for i := range lines {
		lines[i] = g.line()
	}
	return lines
}

// Joined returns n lines, the same for each seed, in which one of the names, or a link to it, is behind
// another link without a space, and sometimes before another host. Programs disagree about the
// characters at which a link ends.
func Joined(seed uint64, n int, names []string) []string {
	g := generator{rand.New(rand.NewPCG(seed, 2))}
	lines := make([]string, n)
	for i := range lines {
		between := g.between()
		lines[i] = g.fill(g.pick(joined)) + between + g.fill(g.pick(behind)) + g.pick(names) + g.path()
		if g.IntN(4) == 0 {
			lines[i] += g.between()
		}
		if g.IntN(4) == 0 {
			lines[i] += g.between() + g.host()
		}
	}
	return lines
}

var (
	joined = strings.Fields("S://H/W S://H/?W=W S://H/#W S://H/W.W S://H/(W S://H?W=(W) H/W H?W=W H#W S://H H A")
	behind = []string{"", "", "S://", "S:", "www.", "W@", "/", ".", "X"}
)

// glue has invisible characters, marks, letters and dots. Programs end a host at them, or refuse
// it.
var glue = strings.Fields("\u200d \u200c \u00ad \u2060 \u034f \ufe0f \u0301 \u20dd ℡ ｡ ． ／ 한 え 々 ー ไ א ا ١ ß е é Ꭰ ꓸ ꓐ 𐐀 😀 － x 7 . / :")

// between returns a character, sometimes with one or two of glue.
func (g generator) between() string {
	from := ascii
	if g.IntN(2) == 0 {
		from = other
	}
	text := g.pick(from)
	if g.IntN(8) == 0 {
		for range 1 + g.IntN(2) {
			text += g.pick(glue)
		}
	}
	return text
}

// A generator makes lines of text.
type generator struct{ *rand.Rand }

// templates are the kinds of text that a line may be. In a template H is a host, U a
// URL, S a scheme, P a path or nothing, A an address, W a word in any script, X a
// character of ASCII that is neither a letter nor a digit, D digits, N a port or a number
// that is too high, V an IPv4 address, L a name of a local network, E emoji, and Q a quotation mark, bracket, dash, bullet or
// other punctuation of any script.
var templates = map[string][]string{
	"honest":       {"W W U W", "W, U. W", "(U)", "W H, W", "W: H", "W A W", "<U>", "W HP. W W"},
	"glued":        {"XU", "UXW", "WXU", "XHP", "HX", "HXW", "WXHP", "XUX", "XHX", "XXHP", "WXXHP", "XA", "AX", "AXW", "WXA"},
	"digits":       {"DU", "D.U", "D)U", "D-U", "HD", "H.D", "DH", "D.H", "D.HP", "UD"},
	"hyphen":       {"-U", "--U", "W-U", "W--U", "-HP", "--HP", "H-", "H--W", "H-W", "W-HP", "-A", "- U"},
	"underscore":   {"_U", "_HP", "W_HP", "H_", "H_W", "_W.HP", "W_W.HP", "_U_", "__HP__", "A_", "_A_"},
	"userinfo":     {"S://W@HP", "S://W:W@HP", "S:W@HP", "W:W@HP", "S://@HP", "S://H@HP", "A@HP", "W@W@HP"},
	"port":         {"H:NP", "S://H:NP", "H:N", "H:DW", "H:-N", "S://H:NW", "H:", "H:P", "S://H:W", "A:N"},
	"schemes":      {"S://U", "S:U", "S://S://HP", "U,U", "UWU", "U;U", "W.U", "www.U", "www.W,U", "S://W,U", "S://W;HP", "S://W_W,U", "S:S://HP"},
	"slashes":      {"S:HP", "S:/HP", "S:///HP", "S:////HP", "//HP", "///HP", "/HP", "W//HP", "S//HP", "S: //HP", "S ://HP", "S:// HP", "S;//HP"},
	"backslashes":  {`S:\\H\W`, `S:\H`, `S:\/HP`, `S:/\HP`, `\\H\W`, `\H`, `S://H\W`, `S://H\@HP`, `W\HP`, `S:\\W@H`},
	"percent":      {"H%", "H%20", "H%P", "%HP", "%20HP", "H%W", "S://H%20P", "S://%20HP", "A%", "AX%W", "H.%20"},
	"behind A":     {"A/U", "A/HP", "A?U", "A:U", "A#HP", "A?A", "A/A", "A,U", "A;A", "A&HP", "A\\U", "A.U", "A?W=U"},
	"bad A":        {"W..W@HP", ".A", "@HP", "W.@HP", "\"W W\"@HP", "W@-HP", "W@H_W", "W@H%", "(W)@H", "@W@H", "W@_HP"},
	"www":          {"www.HP", "www..HP", "www.W_HP", "wwwHP", "Wwww.HP", "www.-HP", "www.W.W", "www,HP", "WWW.HP"},
	"IPv4":         {"V", "S://VP", "VP", "V:N", "D.V", "S:V", "//VP", "W V W", "V.D", "S://V.D"},
	"single":       {"S://W", "S://WP", "S://W:N", "//W", "S:W", "S://localhostP", "//localhostP"},
	"dots":         {"H.", "H..", "H...W", "..HP", ".HP", "S://.HP", "S://..HP", "S://H..P", "H..P", "W...HP", "H.W", "H.W.W", "W.H"},
	"wide":         {"ｗ.HP", "HＱ", "（HP）", "，HP", "HP。W", "S：//HP", "S:／／HP", "／HP", "＠H", "W＠H", "S://H／W"},
	"brackets":     {"(HP)", "[W](U)", "[W](HP)", "[U](U)", "<HP>", "{U}", "(W U)", "U(W)", "HP(W)", "[U]", "[HP]U", "(U)U"},
	"markdown":     {"*U*", "**U**", "_U_", "`U`", "* U", "- HP", "+ U", "+U", "# U", "> U", "|U|", "~~U~~", "1. U", "1.U", "*HP*", "**HP**"},
	"quotes":       {"\"U\"", "'U'", "QU", "QUQ", "QHPQ", "WQU", "WQHP", "HPQW", "QA", "AQ", "QW HPQ"},
	"glued script": {"WU", "UW", "WHP", "HW", "WHW", "HPW", "WAW", "W。HP", "WHP、W"},
	"upper case":   {"HTTP://HP", "HtTpS://HP", "FTP://HP", "MAILTO:A", "WWW.HP", "XHTTP:HP", "HTTPS:\\\\H"},
	"other scheme": {"ftp://HP", "mailto:A", "mailto:HP", "ssh://HP", "file://HP", "file:///HP", "xS://HP", "W+S://HP", "view-source:U", "ftps://HP", "sftp://W@HP", "tel:D", "hxxp://HP", "XxS://HP"},
	"query":        {"H?W=W", "U?U", "H#W", "H?", "H?W=HP", "H&W=W", "H;W", "H=H", "H|H", "H,H", "HXH"},
	"signs":        {"HQ", "HQW", "QV", "VQ", "QVQ", "V-D", "V.W", "VQH", "HQV", "XVX", "V-W"},
	"numbers":      {"WS://D", "WS://N", "HS://D", "A/S://N", "DS://V", "_S://D:N", "mailto:/D", "XS://N"},
	"local":        {"S://LP", "WS://LP", "ssh://LP", "xS://LP", "file:///L", "//W.LP", "A.L", "W@W.L", "mailto:a@L", "sftp://D", "X//W.L/W", "S://L:N"},
	"no port":      {"www.H:NW", "S://H:NW", "H:NX", "H:NWP", "//H:NW", "www.H:W/"},
	"emoji":        {"//EHP", "EHP", "S:EH", "A.E.H", "W@EH", "//W.E.H", "X//EHP", "EH:NW"},
	"no host":      {"S://?HP", "S://#HP", "S://:HP", "S://./HP", "S://?A", "S://?XHP", "www.S:HP", "www.:HP", "www.D/HP", "www.www.?HP", "www.?HP,H"},
	"Unicode":      {"W.HP", "SX//HP", "Q//HP", "W-HP", "S://W.HP", "S://WHP", "W.W", "S://W.W", "WQH"},
}

var (
	labels = strings.Fields("paypa1 goog1e example mail münchen пример 例え उदाहरण xn--mnchen-3ya a 1und1 x-y")
	tops   = strings.Fields("com com com net org de co.uk io рф xn--p1ai みんな dev")
	words  = strings.Fields("see Thanks a x 7 the foo bar x1 Überweisung пример مثال 例え ひらがな 한국어 ไทย हिन्दी ✓ 👉 e.g i.e U.S ß")
	paths  = strings.Fields("/login /a/b?c=d /?q=1 /x. /(y) /%41 /путь #top ?id=7 / /a@b /http://example.net/z /a,b")
	scheme = strings.Fields("http https http https ftp HTTP Https")
	ports  = strings.Fields("80 443 8080 65535 65536 99999 0 00080 123456")
	digits = strings.Fields("1 7 12 2026 000 42")
	ips    = strings.Fields("192.0.2.1 10.0.0.1 255.255.255.255 256.1.1.1 1.2.3 1.2.3.4.5 0x7f.1 01.02.03.04")
	local  = strings.Fields("localhost server local test example nas.local intern")
	emoji  = strings.Fields("😀 ❤ 💩a I❤ ✓x")
	other  = strings.Fields("“ ” „ ‘ ’ « » ‹ › – — … • · ‣ → 「 」 、 。 （ ） ¿ ¡ ・ ‧ ․ ʼ ′ ″ § © ™ ¹ ½ ° \u200b \u00a0 \u2060 ´ № ℡ ⓐ Ⅳ ㎏ \u2011")
	ascii  = strings.Split("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", "")
)

func (g generator) pick(from []string) string { return from[g.IntN(len(from))] }

func (g generator) host() string {
	host := g.pick(labels) + "." + g.pick(tops)
	if g.IntN(4) == 0 {
		host = g.pick(labels) + "." + host
	}
	return host
}

func (g generator) url() string {
	switch g.IntN(4) {
	case 0:
		return g.host() + g.pick(paths)
	case 1:
		return g.pick(scheme) + "://" + g.host()
	}
	return g.pick(scheme) + "://" + g.host() + g.path()
}

func (g generator) path() string {
	if g.IntN(2) == 0 {
		return ""
	}
	return g.pick(paths)
}

// kinds are the names of templates in a fixed order.
var kinds = slices.Sorted(maps.Keys(templates))

// line returns a text of a random kind, sometimes inside a sentence.
func (g generator) line() string {
	kind := templates[kinds[g.IntN(len(kinds))]]
	text := g.fill(g.pick(kind))
	switch g.IntN(4) {
	case 0:
		text = "see " + text
	case 1:
		text = g.pick(words) + " " + text + " " + g.fill(g.pick(kind))
	}
	return text
}

// fill replaces the capital letters of a template.
func (g generator) fill(template string) string {
	for _, fixed := range []string{"HTTP", "HtTpS", "FTP", "MAILTO", "WWW", "XHTTP"} {
		if rest, ok := strings.CutPrefix(template, fixed); ok {
			return fixed + g.fill(rest)
		}
	}
	var b strings.Builder
	for _, r := range template {
		switch r {
		case 'H':
			b.WriteString(g.host())
		case 'U':
			b.WriteString(g.url())
		case 'S':
			b.WriteString(g.pick(scheme))
		case 'P':
			b.WriteString(g.path())
		case 'A':
			b.WriteString(g.pick(labels) + "@" + g.host())
		case 'W':
			b.WriteString(g.pick(words))
		case 'X':
			b.WriteString(g.pick(ascii))
		case 'D':
			b.WriteString(g.pick(digits))
		case 'N':
			b.WriteString(g.pick(ports))
		case 'L':
			b.WriteString(g.pick(local))
		case 'E':
			b.WriteString(g.pick(emoji))
		case 'V':
			b.WriteString(g.pick(ips))
		case 'Q', 'Ｑ':
			b.WriteString(g.pick(other))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
