package filter_test

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/policy"
)

// charsetsOf has the charsets of mail in the language of a line of testdata/cjk.txt.
var charsetsOf = map[string][]string{
	"zh": {"gb2312", "gbk", "gb18030", "utf-8"},
	"zt": {"big5", "gb18030", "utf-8"},
	"ja": {"iso-2022-jp", "shift_jis", "euc-jp", "utf-8"},
	"ko": {"euc-kr", "utf-8"},
}

// cutVariants returns a text as mail programs and mailing lists damage it, who cut characters in
// half.
func cutVariants(content, before, after string) map[string]string {
	half := func(s string) string { return s[:max(len(s)-1, 0)] }
	return map[string]string{
		"whole":                  content + "\r\n",
		"last character cut":     half(content),
		"cut before a line end":  before + half(after) + "\r\n" + content + "\r\n" + after + "\r\n",
		"cut before the link":    half(before) + "\r\n" + content + "\r\n" + before + "\r\n",
		"begins within":          content[1:] + "\r\n" + content + "\r\n",
		"an ellipsis in the cut": half(after) + "...\r\n" + content + "\r\n",
	}
}

// asLinks matches the links of testdata/cjk.txt in any charset.
var asLinks = regexp.MustCompile(`(?:https?|ftp)://[\w./?=-]*`)

// inField returns a text as an encoded word, or raw if the label is that of ASCII.
func inField(label, text string) string {
	text = strings.ReplaceAll(strings.TrimSpace(text), "\r\n", " ")
	if label == "us-ascii" {
		return text
	}
	return "=?" + label + "?b?" + base64.StdEncoding.EncodeToString([]byte(text)) + "?="
}

// TestHonestCJK: honest Chinese, Japanese and Korean mail gets no finding of medium or above, whole or
// with characters cut in half, with and without its charset.
func TestHonestCJK(t *testing.T) {
	f := newFilter(t, filter.Options{})
	raw, err := os.ReadFile("testdata/cjk.txt")
	if err != nil {
		t.Fatal(err)
	}
	read, wrong := 0, make(map[string]int)
	rows := 0
	for line := range strings.Lines(string(raw)) {
		if rows++; rows%4 != 0 && !long.Is() {
			continue
		}
		language, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		names := charsetsOf[language]
		letters := []rune(text)
		before, after := string(letters[:3]), string(letters[len(letters)-3:])
		for _, name := range names {
			e, err := htmlindex.Get(name)
			if err != nil {
				t.Fatal(err)
			}
			var in [3]string
			lacks := false
			for i, s := range []string{text, before, after} {
				in[i], err = e.NewEncoder().String(s)
				lacks = lacks || err != nil
			}
			if lacks {
				continue
			}
			for variant, content := range cutVariants(in[0], in[1], in[2]) {
				for _, label := range []string{"; charset=" + name, "", "; charset=us-ascii", "; charset=x-none"} {
					for mediaType, content := range map[string]string{"text/plain": content, "text/html": asLinks.ReplaceAllString(content, `<a href="$0">$0</a>`)} {
						fields, body := inBase64("Content-Type: "+mediaType+label, content)
						r := f.Scan(beside(fields, body))
						read++
						if r.Worst() >= policy.SeverityMedium {
							wrong[fmt.Sprintf("%s %q %s %s", name, label, variant, mediaType)]++
							if testing.Verbose() {
								t.Logf("%s in %s%s, %s, %s: %v", text, name, label, variant, mediaType, placed(r))
							}
						}
					}
				}
				for _, label := range []string{name, "us-ascii", "utf-8"} {
					for _, fields := range []string{"Subject: " + inField(label, content), "From: " + inField(label, in[1]+in[2][:len(in[2])-1]) + " <a@example.com>"} {
						r := f.Scan([]byte(fields + "\r\n\r\nHello\r\n"))
						read++
						if r.Worst() >= policy.SeverityMedium {
							wrong[fmt.Sprintf("%s %q %s %s", name, label, variant, fields[:4])]++
							if testing.Verbose() {
								t.Logf("%s in %s, %s, %s, %s: %v", text, name, label, variant, fields[:4], placed(r))
							}
						}
					}
				}
			}
		}
	}
	for kind, n := range wrong {
		t.Errorf("%d of %s", n, kind)
	}
	t.Logf("%d messages", read)
}

// TestHostBehindMojibake: behind text without a space, a genuine host was one with a typing error in a
// reading of another charset ("ºmicrosoft.com", "Bmicrosoft.com"): medium in honest mail, even where
// ISO-2022-JP is declared.
func TestHostBehindMojibake(t *testing.T) {
	f := newFilter(t, filter.Options{Policy: policy.Options{Protected: []string{"kestrelbank.jp", "quixolane.com"}}})
	for _, test := range []struct{ name, text string }{
		{"iso-2022-jp", "詳しくはmicrosoft.comまで。"},
		{"iso-2022-jp", "お問い合わせはkestrelbank.jpへ"},
		{"gbk", "更多信息请访问我们的网站：microsoft.com谢谢"},
		{"gbk", "您可以在quixolane.com查看详情"},
		{"big5", "請瀏覽我們的網站facebook.com謝謝"},
		{"shift_jis", "新しいソフトはmicrosoft.comから"},
		{"euc-kr", "자세한 내용은 홈페이지quixolane.com에서"},
		{"gb2312", "请访问www.paypal.com（mail.google.com）了解详情"},
	} {
		e, err := htmlindex.Get(test.name)
		if err != nil {
			t.Fatal(err)
		}
		content, err := e.NewEncoder().String(test.text)
		if err != nil {
			t.Fatal(err)
		}
		for _, label := range []string{"; charset=" + test.name, "", "; charset=us-ascii", "; charset=x-none"} {
			fields, body := inBase64("Content-Type: text/plain"+label, content)
			if r := f.Scan(beside(fields, body)); r.Worst() >= policy.SeverityMedium {
				t.Errorf("%s in %s%s: %v", test.text, test.name, label, placed(r))
			}
		}
	}
	for _, spoof := range []string{"Please confirm your account at \xbamicrosoft.com today", "http://\xbamicrosoft.com/", "See \xe0\xe0\xe0\xe0\xe0\xe0 xmicrosoft.com", "\xe0\xe0\xe0\xe0\xe0\xe0 www.paypa1.com\xa3\xa8www.google.com\xa3\xa9", "\xc8\xcb\xc3\xf1 kestre1bank.jp"} {
		fields, body := inBase64("Content-Type: text/plain", spoof)
		if r := f.Scan(beside(fields, body)); worstLink(r) < policy.SeverityMedium {
			t.Errorf("%q: %v", spoof, placed(r))
		}
	}
}

// hostsIn matches the links, hosts and addresses of testdata/cjk.txt.
var hostsIn = regexp.MustCompile(`[\w.+-]*(?:://|@|\w\.)[\w./?=&%-]*`)

// TestGeneratedHostsBehindMojibake: of honest texts with hosts of brands and own names between letters,
// declared or not, next to none has a finding of medium or above.
func TestGeneratedHostsBehindMojibake(t *testing.T) {
	f := newFilter(t, filter.Options{Policy: policy.Options{Protected: []string{"kestrelbank.jp", "quixolane.com"}}})
	raw, err := os.ReadFile("testdata/cjk.txt")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(52, 4))
	read, wrong := 0, 0
	for line := range strings.Lines(string(raw)) {
		language, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		letters := []rune(hostsIn.ReplaceAllString(text, ""))
		places := []int{}
		for i := 1; i < len(letters); i++ {
			if letters[i-1] >= '\u3041' && letters[i] >= '\u3041' {
				places = append(places, i)
			}
		}
		for _, name := range charsetsOf[language] {
			for _, host := range []string{"microsoft.com", "kestrelbank.jp", "info@quixolane.com", "www.facebook.com", "quixolane.com"} {
				if len(places) == 0 {
					continue
				}
				i := places[random.IntN(len(places))]
				e, err := htmlindex.Get(name)
				if err != nil {
					t.Fatal(err)
				}
				content, err := e.NewEncoder().String(string(letters[:i]) + host + string(letters[i:]))
				if err != nil {
					continue // the charset lacks a character
				}
				for _, label := range []string{"; charset=" + name, "", "; charset=us-ascii", "; charset=iso-8859-1"} {
					fields, body := inBase64("Content-Type: text/plain"+label, content)
					if r := f.Scan(beside(fields, body)); r.Worst() >= policy.SeverityMedium {
						wrong++
						t.Logf("%s%s: %s: %v", name, label, string(letters[:i])+host+string(letters[i:]), placed(r))
					}
					read++
				}
			}
		}
	}
	t.Logf("%d of %d", wrong, read)
	if read < 3000 || 100*wrong > 4*read {
		t.Errorf("%d of %d texts have a finding", wrong, read)
	}
}
