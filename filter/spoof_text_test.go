package filter_test

import (
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/policy"
)

// spoofedTexts are forms of a link in plain text that common programs link, with a name for each. H
// is a host and its path, U a URL, S a scheme.
var spoofedTexts = []struct{ name, template string }{
	{"hyphen before a scheme", "-U"},
	{"dash before a scheme", "--U"},
	{"word and hyphen before a scheme", "see-U"},
	{"number before a scheme", "7U"},
	{"list number before a scheme", "1.U"},
	{"list marks before a scheme", "+U"},
	{"bullet before a scheme", "•U"},
	{"underscore before a scheme", "_U"},
	{"letter before a scheme", "xU"},
	{"scheme of two words", "svn+U"},
	{"other scheme", "ssh://H"},
	{"file", "file://H"},
	{"invented scheme", "hxxp://H"},
	{"no scheme before slashes", "//H"},
	{"three slashes", "///H"},
	{"one slash", "/H"},
	{"backslash", `\H`},
	{"share", `\\H`},
	{"URL behind an address", "a@example.org/U"},
	{"host behind an address", "a@example.org/H"},
	{"address behind an address", "b@example.org?a@H"},
	{"URL behind www", "www.U"},
	{"URL behind a host", "example.org,U"},
	{"URL behind a user", "S://x,U"},
	{"URL behind an underscore", "S://x_y,U"},
	{"no slashes", "S:H"},
	{"one slash behind the scheme", "S:/H"},
	{"three slashes behind the scheme", "S:///H"},
	{"five slashes behind the scheme", "S://///H"},
	{"backslashes behind the scheme", `S:\\H`},
	{"backslash behind the scheme", `S:\H`},
	{"slash and backslash", `S:/\H`},
	{"scheme twice", "S://S://H"},
	{"scheme twice without slashes", "S:S://H"},
	{"space in the scheme", "S: //H"},
	{"semicolon in the scheme", "S;//H"},
	{"full-width colon", "S：//H"},
	{"percent sign before a host", "%H"},
	{"escape before a host", "%20//H"},
	{"underscore before a host", "_H"},
	{"underscored word before a host", "_x.H"},
	{"word and underscore before a host", "x_H"},
	{"at sign before a host", "@H"},
	{"no local-part", "<@H>"},
	{"two dots in a local-part", "a..b@H"},
	{"quoted local-part", `"a b"@H`},
	{"dots before a host", "..H"},
	{"www and two dots", "www..H"},
	{"www and an underscore", "www.x_H"},
	{"middle dot before a host", "x·H"},
	{"footnote before a host", "¹H"},
	{"full-width mark before a host", "，H"},
	{"variable before a host", "S://$x.H"},
	{"asterisk before a host", "S://*.H"},
}

// spoofedEnds are texts behind a host without a path.
var spoofedEnds = []struct{ name, end string }{
	{"percent sign", "%"},
	{"escape", "%20"},
	{"port too high", ":99999"},
	{"word as port", ":80a"},
	{"words as port", ":80-90"},
	{"at sign", "@"},
	{"at sign and word", "@x"},
	{"underscore", "_"},
	{"underscore and word", "_x"},
	{"two dots", ".."},
	{"two dots and path", "../login"},
	{"unknown last label", ".zzzz"},
	{"hyphen and word", "-x"},
	{"dot and hyphen", ".-x"},
	{"dot, underscore and word", "._x"},
	{"footnote", "¹"},
	{"symbol", "™"},
	{"dash", "–x"},
	{"backslash", `\login`},
}

// TestSpoofsInPlainText: a host that common programs link is judged, whatever is beside it.
func TestSpoofsInPlainText(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{})
	clean := func(t *testing.T, spoof string) {
		t.Helper()
		for _, frame := range []string{"%", "See %, please.", "> %", "- %\r\n- %", "(%)", "请看 %。"} {
			content := strings.ReplaceAll(frame, "%", "\x00")
			content = strings.ReplaceAll(content, "\x00", spoof)
			report := f.Scan([]byte(utf8Text(content + "\r\n")))
			worst := policy.SeverityNone
			for _, l := range report.Links {
				worst = max(worst, l.Verdict.Worst())
			}
			if worst < policy.SeverityMedium {
				t.Errorf("clean: %s", content)
			}
		}
	}
	hosts := []string{"paypa1.com", "www.paypa1.com", "login.goog1e.co.uk", "аpple.com", "xn--pple-43d.com"}
	schemes := []string{"http", "https", "HTTPS", "ftp"}
	for _, s := range spoofedTexts {
		t.Run(s.name, func(t *testing.T) {
			for i, host := range hosts {
				scheme := schemes[i%len(schemes)]
				for _, path := range []string{"", "/login", "?q=1"} {
					url := scheme + "://" + host + path
					clean(t, strings.NewReplacer("U", url, "S", scheme, "H", host+path).Replace(s.template))
				}
			}
		})
	}
	for _, s := range spoofedEnds {
		t.Run("host before "+s.name, func(t *testing.T) {
			for i, host := range hosts {
				clean(t, host+s.end)
				clean(t, schemes[i%len(schemes)]+"://"+host+s.end)
			}
		})
	}
}

// userNames are texts between a name and the "@" before a host.
var userNames = []string{"", ":x", "&x", ";x", ",x", "!", "(x)", "[x]", "{x}", "*", "+", "=x", "~", "$x", "^x", "'x", "|x", "%2F", "@"}

// TestUserNamesInTexts: a user name that looks like a host is found behind any number of slashes,
// in the text, the subject and a display name.
func TestUserNamesInTexts(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{})
	frames := map[string]string{
		"text":    utf8Text("See % now\r\n"),
		"subject": "From: a@example.com\r\nSubject: See % now\r\n\r\nHello\r\n",
		"name":    "From: \"See % now\" <x@evil.example.net>\r\n\r\nHello\r\n",
	}
	for _, start := range []string{"https:", "https:/", "https:///", `https:\\`, "//", "see:https://", "xhttps://"} {
		for _, user := range userNames {
			for _, host := range []string{"evil.example.net/x", "evil.example.net", "evil.example.net:8080/x", "2130706433/x"} {
				if start == "//" && strings.HasPrefix(host, "2") {
					continue // no program makes a link of it
				}
				url := start + "www.paypal.com" + user + "@" + host
				for where, frame := range frames {
					if r := f.Scan([]byte(strings.ReplaceAll(frame, "%", url))); worstLink(r) < policy.SeverityMedium {
						t.Errorf("%s: %s: %v", where, url, placed(r))
					}
				}
			}
		}
	}
}

// TestLettersBeforeHosts: detection begins a host behind a letter of a script without spaces, or
// from right to left. A lookalike is found there, too.
func TestLettersBeforeHosts(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{})
	letters := map[string]string{
		"o": "\u101d\u05e1\u0647\u06be\u06c1\u06d5\ufbaa\ufee9", "l": "\u05d5\u05df\u0627\u07ca\ufe8e", "c": "\u105a", "m": "\U00011700",
	}
	for _, brand := range []string{"microsoft", "facebook", "linkedin", "google", "amazon", "instagram"} {
		for letter, likes := range letters {
			for _, like := range likes {
				for at := range brand {
					if at == 0 || brand[at:at+1] != letter {
						continue
					}
					name := brand[:at] + string(like) + brand[at+1:] + ".com"
					for _, frame := range []string{"%", "Visit %/login today", "www.%", "//%/x", "to x@%", "(%)", "a.%"} {
						text := strings.ReplaceAll(frame, "%", name)
						if r := f.Scan([]byte(utf8Text(text + "\r\n"))); worstLink(r) < policy.SeverityMedium {
							t.Errorf("%s: %v", text, placed(r))
						}
					}
				}
			}
		}
	}
}

// TestMarksBeforeMixedHosts: detection begins a host behind a mark, a joiner or a right-to-left
// letter, and leaves out letters beyond ASCII. A host of two scripts there is found whole.
func TestMarksBeforeMixedHosts(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{})
	for _, before := range []string{"\u0301", "\u200d", "\u064b", "\u0903", "\u093f", "\u3099", "\u05e9", "\u0639\u0631", "\u05b0x\u05e9"} {
		for _, host := range []string{"аpple.com", "раураl.com", "faceboоk.com/login", "gооgle.com", "login.аpple.com/x"} {
			for _, frame := range []string{"%", "See % now", "(%)"} {
				text := strings.ReplaceAll(frame, "%", before+host)
				if r := f.Scan([]byte(utf8Text(text + "\r\n"))); worstLink(r) < policy.SeverityMedium {
					t.Errorf("%+q: %v", text, placed(r))
				}
			}
		}
	}
}

// TestHonestTextsBesideHosts: text that people write beside hosts without a space is no finding.
func TestHonestTextsBesideHosts(t *testing.T) {
	needTables(t)
	f := newFilter(t, filter.Options{})
	for _, content := range []string{
		"https://example.com's.Then", "https://example.com(z.B.hier)", "example.com–example.org", "example.com=example.org",
		"http://例え.jpをご覧ください。Besuche", "example.com(example.org)", "-https://example.com/a", "+https://example.com/a", "•https://example.com/a",
		"1.https://example.com/a", "see-https://example.com/a", "wait...example.com", "//example.com/a", "http:example.com", "http:///example.com/",
		"a@example.org/https://example.com/", "100%example.com", "example.com%", "example.com:80-90", "x_example.com", "svn+ssh://example.com/x",
		"C:\\Users\\readme.md", "/usr/share/doc/index.html", "v1.2.3.4", "foo.py_bar", "com.example.app.Main", "example.com¹", "example.com™", "col·legi.cat",
		"x · example.com", "ב-example.com", "بexample.com", "www.example.com,www.example.org", "e.g.example.com", "http://example.com/http://example.org/",
		"http:example.com,x@example.com", "//example.com a@example.org", "//example.com/a@example.org", "http:example.com/a@b.example.org", `\\dav.example.com@SSL\x`, "xmpp://anna.li@example.org",
		"請訪問paypal網example.com", "ดูpaypalที่example.com", "microsoft的example.com", "ကြည့်example.com", "googleのmail.example.com", "لgoogleوexample.com", "amazonで購入amazon.co.jpです",
		"\u200cwww.example.com", "به\u200cwww.example.com/x", "\u0301www.example.com", "https://*.example.com/", "https://$host$request_uri", "https://${HOST}/x",
		"https://${name}.example.com/", "https://$name.example.com/x", "https://%s:%d/x", "http://*:8080/", "https://$(hostname)/x", "http://$1/", `http://example\.com`,
	} {
		for _, l := range f.Scan([]byte(utf8Text(content + "\r\n"))).Links {
			if l.Verdict.Worst() >= policy.SeverityMedium {
				t.Errorf("%s: %s %s %v", content, l.Link.Kind, l.Link.Text, l.Verdict.Findings)
			}
		}
	}
}
