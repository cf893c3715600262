package filter_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// attached returns a message with an attachment of a type and a name, which may be empty.
func attached(mediaType, name, content string) []byte {
	fields := "Content-Type: " + mediaType + "\r\nContent-Transfer-Encoding: base64"
	if name != "" {
		fields += "\r\nContent-Disposition: attachment; filename=" + name
	}
	return beside(fields, base64.StdEncoding.EncodeToString([]byte(content)))
}

// TestKindsOfFiles: files that programs open by their type or name are read completely. Once they
// were opaque or read in part.
func TestKindsOfFiles(t *testing.T) {
	f := newFilter(t, filter.Options{})
	encoded := base64.StdEncoding.EncodeToString([]byte(lookLike))
	inCDATA := `<?xml version="1.0"?><x><description><![CDATA[` + trap + `]]></description></x>`
	for _, file := range []struct{ mediaType, name, content string }{
		{"video/x-ms-asf", "x.asx", `<asx version="3.0"><entry><ref href="` + lookLike + `"/></entry></asx>`},
		{"video/x-ms-asf", "", `<asx version="3.0"><entry><ref href="` + lookLike + `"/></entry></asx>`},
		{"audio/x-mpegurl", "", "#EXTM3U\r\n#EXTINF:1,x\r\n" + lookLike + "\r\n"},
		{"image/png", "x.m3u8", "\x00\x01\x02\x03\r\n" + lookLike + "\r\n"},
		{"audio/x-scpls", "", "[playlist]\r\nFile1=" + lookLike + "\r\n"},
		{"application/vnd.ms-wpl", "", `<?wpl version="1.0"?><smil><body><seq><media src="` + lookLike + `"/></seq></body></smil>`},
		{"image/png", "x.rdp", "screen mode id:i:2\r\nfull address:s:paypa1.com\r\n"},
		{"image/png", "x.library-ms", `<libraryDescription><simpleLocation><url>\\paypa1.com\share</url></simpleLocation></libraryDescription>`},
		{"image/png", "x.search-ms", `<persistedQuery><include path="` + lookLike + `"/></persistedQuery>`},
		{"image/png", "x.iqy", "WEB\r\n1\r\n" + lookLike + "\r\n"},
		{"image/png", "x.any", "see " + lookLike + "\r\n"},
		{"application/pdf", "x.pdf", "see " + lookLike + "\r\n"},
		{"text/ldif", "", "dn: cn=x\r\nlabeledURI:: " + encoded + "\r\n"},
		{"application/octet-stream", "x.ldif", "dn: cn=x\r\nlabeledURI:: " + encoded[:8] + "\r\n " + encoded[8:] + "\r\n"},
		{"application/octet-stream", "", "version: 1\ndn: cn=x\nlabeledURI::" + encoded + "\n"},
		{"application/octet-stream", "x.ldif", "dn: cn=x\r\nlabeledURI: http://pay\r\n pa1.com/login\r\n"},
		{"application/octet-stream", "x.kml", inCDATA},
		{"application/rss+xml", "", inCDATA},
		{"application/octet-stream", "", `<kml><description><![CDATA[` + trap + `]]></description></kml>`},
		{"image/png", "x.fodt", `<office:document><text:a xlink:href="` + lookLike + `">x</text:a></office:document>`},
		{"image/png", "x.php", `<?php header("Location: ` + lookLike + `");`},
		{"application/ms-tnef", "winmail.dat", "\x78\x9f\x3e\x22\x01\x00\x00<HTML>\r\n<body>" + trap + "</body></HTML>\x00\x01"},
		{"application/octet-stream", "winmail.dat", "\x78\x9f\x3e\x22\x01\x00<html></html>\x00\x00" + trap + "\x00\x01"},
		{"application/octet-stream", "x.msg", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x01" + widened("<body>"+trap, 2, 0) + "\x00\x00\x01"},
		{"text/plain", "x.yaml", `u: "http:\x2f\x2fpaypa1.com"`},
		{"image/png", "\"x.ht\r\n ml\"", "GIF89a" + trap},
		{"application/x-pkcs7-mime", "x.html", trap},
		{"application/pkcs7-mime", "x.htm", "x" + trap},
		{"application/ms-tnef", "", "<html>" + trap},
		{"application/octet-stream", "x.msg", "Subject: x\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte(trap))},
		{"message/imdn+xml", "", "From: a@example.com\r\nContent-Type: text/html\r\n\r\n" + trap},
		{"application/atom+xml", "", `<feed><content type="html">&lt;a href="` + evil + `"&gt;` + shownAs + `&lt;/a&gt;</content></feed>`},
	} {
		if r := f.Scan(attached(file.mediaType, file.name, file.content)); worstLink(r) < policy.SeverityMedium {
			t.Errorf("%s %s: %s: %v", file.mediaType, file.name, r, placed(r))
		}
	}
}

// TestOpaqueKindsStay: content that is no text is opaque, whatever its name.
func TestOpaqueKindsStay(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for mediaType, content := range map[string]string{
		"application/pdf":          "%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n",
		"image/png":                "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
		"audio/mpeg":               "ID3\x03\x00\x00\x00\x00\x00\x00" + "\xff\xfb\x90\x64\x00\x01\x02\x03",
		"application/zip":          "PK\x03\x04\x14\x00",
		"application/octet-stream": "\x00\x01\x02\x03\x04",
		"video/mp4":                "not a video",
	} {
		if r := f.Scan(attached(mediaType, "", content)); len(r.Findings) != 1 || r.Findings[0].Code != report.CodeOpaque {
			t.Errorf("%s: %v", mediaType, r.Findings)
		}
	}
}

// TestKindsOfHTML: references of AMP, and actions in microdata and JSON, are read, although only
// some programs open them.
func TestKindsOfHTML(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, source := range []string{
		`<amp-iframe src="` + lookLike + `"></amp-iframe>`,
		`<amp-iframe src="//paypa1.com/login"></amp-iframe>`,
		`<amp-list src='` + lookLike + `'></amp-list>`,
		`<amp-state id=s src=` + lookLike + `></amp-state>`,
		`<amp-social-share data-share-endpoint="` + lookLike + `"></amp-social-share>`,
		`<AMP-AD [data-href]="` + lookLike + `"></AMP-AD>`,
		`<form method=post action-xhr="` + lookLike + `"><button>x</button></form>`,
		`<button on="tap:AMP.navigateTo(url='` + lookLike + `')">x</button>`,
		`<meta itemprop="url" content="` + lookLike + `">`,
		`<link itemprop="target" href="` + lookLike + `">`,
		`<span content="` + lookLike + `" itemprop="target">View</span>`,
		`<data itemprop=urlTemplate value="` + lookLike + `">View</data>`,
		`<script type="application/ld+json">{"@type":"EmailMessage","potentialAction":{"target":"` + lookLike + `"}}</script>`,
		`<script type="application/ld+json">{"urlTemplate":"\u0068ttp:\/\/paypa1\u002ecom/{id}"}</script>`,
		`<script type="application/json">{"u":"http:\u002F\u002Fpaypa1.com"}</script>`,
	} {
		flagged(t, f, source)
	}
	padded := "<amp-iframe "
	for i := range 20 {
		padded += fmt.Sprintf("a%d='%s' ", i, strings.Repeat("x", 4000))
	}
	if r := f.Scan(htmlMessage(padded + "src='" + lookLike + "'></amp-iframe>")); r.Worst() < policy.SeverityMedium {
		t.Errorf("padded: %s", r)
	}
	for _, honest := range []string{`<amp-img src="` + lookLike + `"></amp-img>`, `<input value="` + lookLike + `">`} {
		for _, l := range f.Scan([]byte("Content-Type: text/html\r\n\r\n" + honest)).Links {
			if l.Place != report.PlaceHTMLText {
				t.Errorf("%s: %v", honest, l.Link.Text)
			}
		}
	}
}

// TestPlacesOfTexts: texts elsewhere that programs show for a link are read: labels of buttons,
// texts in place of pictures, strings in style sheets. So is markup inside elements that some
// programs do not know.
func TestPlacesOfTexts(t *testing.T) {
	f := newFilter(t, filter.Options{})
	letters := func(format string) string {
		var b strings.Builder
		for _, c := range shownAs {
			fmt.Fprintf(&b, format, string(c))
		}
		return b.String()
	}
	utf16 := base64.StdEncoding.EncodeToString([]byte(widened(trap, 2, 0)))
	for _, source := range []string{
		`<form action="` + evil + `"><input type=submit id=s hidden></form><label for=s>` + shownAs + `</label>`,
		`<label for=s>` + shownAs + `</label><button id=s formaction="` + evil + `">x</button><form action=y></form>`,
		`<a href="` + evil + `">` + letters(`<img alt="%s">`) + `</a>`,
		`<a href="` + evil + `">https://www.<img alt=paypal>.com/</a>`,
		`<map name=m><area href=` + evil + ` shape=default></map><img usemap=#m title="` + shownAs + `" src=cid:x>`,
		`<a href=` + evil + `>pay<img title="pal.com" src=cid:x></a>`,
		`<img src=cid:x usemap=#m alt="` + shownAs + `"><map name=m><area href="` + evil + `"></map>`,
		`<style>:root{--x:"` + shownAs + `"}a:before{content:var(--x)}</style><a href="` + evil + `"></a>`,
		`<style>@counter-style x{system:cyclic;symbols:"` + shownAs + `"}a:before{content:counter(y,x)}</style><a href="` + evil + `"></a>`,
		`<style>a{display:list-item;list-style-type:"` + shownAs + `"}</style><a href="` + evil + `"></a>`,
		`<style>q{quotes:"` + shownAs + `" ""}</style><a href="` + evil + `"><q>x</q></a>`,
		`<iframe>` + trap + `</iframe>`, `<noembed>` + trap + `</noembed>`, `<noframes>` + trap + `</noframes>`, `<xmp>` + trap + `</xmp>`,
		`<fencedframe src="` + lookLike + `"></fencedframe>`, `<layer src="` + lookLike + `"></layer>`,
		`<a href="data:text/html;charset=utf-16le;base64,` + utf16 + `">x</a>`,
		`<a href="search-ms:query=x&crumb=location:\\paypa1.com\share">x</a>`,
		`<a href="search-ms:query=x&crumb=location:%5C%5Cpaypa1.com%5Cshare">x</a>`,
		`<a href="search:crumb=location:%5C%5Cpaypa1.com@SSL%5CDavWWWRoot">x</a>`,
		`<a href="search-ms:crumb=location://paypa1.com/x">x</a>`,
	} {
		flagged(t, f, source)
	}
	for _, honest := range []string{
		`<a href="https://www.example.com/x"><img alt="Shop"> <img alt="now"> www.example.com</a>`,
		`<style>:root{--font:"Helvetica Neue.x",Arial;--i:url("https://cdn.example.net/x.png")}</style><a href="https://www.example.com/">Shop</a>`,
		`<style>q{quotes:"\201c" "\201d"}li{list-style-type:"- "}</style><a href="https://www.example.com/">www.example.com</a>`,
		`<form action="https://www.example.com/"><label for=e>Mail</label><input id=e><input type=submit id=s value=Send></form>`,
		`<img usemap=#m alt="Our shops" title="https://www.paypal.com/"><map name=m><area href="https://www.example.com/"></map>`,
		`<img usemap=#m alt="Our shops"><map name=m><area href="https://www.example.com/"></map>`,
	} {
		if r := f.Scan(htmlMessage(honest)); r.Worst() != policy.SeverityNone {
			t.Errorf("%s: %v", honest, placed(r))
		}
	}
}

// TestMarkdown: the text of a link in Markdown is compared with its target.
func TestMarkdown(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, content := range []string{
		"[" + shownAs + "](" + evil + ")", "a [" + shownAs + "]( <" + evil + "> \"title\") b", "[" + shownAs + "][1]\n\n[1]: " + evil, "[" + shownAs + "]\n\n> [" + shownAs + "]: <" + evil + ">", "[" + shownAs + "][1]\n\n- [1]: " + evil, "[" + shownAs + "][1]\n\n1.  * [1]: " + evil,
		"![x](cid:1) [" + shownAs + "][X]\n[x]: " + evil + " (y)", "[https://www.\npaypal.com/](" + evil + ")", "[www.paypal.com](\n  " + evil + ")", "> [Sign in:\n> " + shownAs + "](" + evil + ")",
		`[www\.paypal\.com](` + evil + ")", "[www&period;paypal&#46;com](" + evil + ")", "[![" + shownAs + "](cid:1)](" + evil + ")", "[" + shownAs + "][a \n B]\n\n[A b]:\n  " + evil, "[x ![y](z) " + shownAs + "](" + evil + ")",
		"[" + shownAs + "]\n\n[" + shownAs + "]: " + evil + "\n[" + shownAs + "]: " + shownAs + "\n", strings.Repeat("word\n", 6548) + "[" + shownAs + "\n](" + evil + ")",
	} {
		for mediaType, name := range map[string]string{"text/markdown": "", "application/octet-stream": "x.md"} {
			if r := f.Scan(attached(mediaType, name, content)); worstLink(r) < policy.SeverityMedium {
				t.Errorf("%s: %q: %v", mediaType, content, placed(r))
			}
		}
	}
	for _, honest := range []string{"[x](https://example.org/) and [https://example.org/](https://example.org/a)", "- [ ] task\n[1]: https://example.org/\n", "a[i](x.y)", "[www.example.com]\n\n(https://example.org/)", "[a\n\nb www.example.com](https://example.org/)"} {
		if r := f.Scan(attached("text/markdown", "", honest)); worstLink(r) != policy.SeverityNone {
			t.Errorf("%q: %v", honest, placed(r))
		}
	}
	long := "[1]: https://example.org/" + strings.Repeat("x", 30_000) + "\n" + strings.Repeat("[a][1] ", 4000) + "\n"
	if r := f.Scan(attached("text/markdown", "", strings.Repeat(long, 30))); r.Outcome != report.OutcomePartial {
		t.Errorf("long: %s", r)
	}
}

// TestKindsOfFields: URLs are found in header fields that have no rule of their own and that
// programs show or open.
func TestKindsOfFields(t *testing.T) {
	f := newFilter(t, filter.Options{})
	scan := func(field string) report.Report {
		return f.Scan([]byte("From: a@example.org\r\n" + field + "\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n\r\nhello\r\n"))
	}
	for _, field := range []string{
		"X-Mailer: |", "Organization: see | now", "Comments: |", "Keywords: x, |", "Content-Base: |", "Content-Location: |", "Link: <|>; rel=alternate", "X-Face-URL: |", "X-Image-URL: <|>",
		"X-Homepage: http:\\\\paypa1.com\\login", "X-Homepage: http:paypa1.com/", "X-URL: WWW.PAYPA1.COM", "Link: <//paypa1.com/>; rel=alternate", "X-Any: <http:\r\n //paypa1.com/>", "X-Any: x <http://pay\r\n pa1.com/> y", "Content-Location: http://pay\r\n pa1.com/",
		"X-Unsubscribe: <mailto:x@paypa1.com>", "X-Unsubscribe: MAILTO:a@example.com?cc=x@paypa1.com", "X-Any: intent://paypa1.com/#Intent;scheme=https;end",
		"X-Homepage: |", "X-URL: |", "X-Unsubscribe: <|>", "X-Any: |", "User-Agent: x (|)", "OpenPGP: id=1; url=|", "X-Sharing-Remote-Store-Url: |", "To: \"|\" <b@example.com>",
		"Organization: =?utf-8?B?" + base64.StdEncoding.EncodeToString([]byte(lookLike)) + "?=", "X-Any: =?utf-8?q?http=3A=2F=2Fpaypa1=2Ecom/ x?=",
	} {
		field = strings.ReplaceAll(field, "|", lookLike)
		if r := scan(field); worstLink(r) < policy.SeverityMedium || r.Links[len(r.Links)-1].Place != report.PlaceHeader {
			t.Errorf("%s: %v", field, placed(r))
		}
	}
	for _, field := range []string{
		"X-Homepage: https://www.example.com/", "X-Originating-Host: paypa1.com", "X-Original-Sender: x@paypa1.com", "Received: from x (" + lookLike + ")", "DKIM-Signature: b=ab//" + lookLike,
		"X-Spam-Report: " + lookLike, "ARC-Seal: x=" + lookLike, "X-Any: http://example.zzzz/ http://192.0.2.1/ http://bit.ly/x", "Message-ID: <1@www.paypa1.com>",
		"Keywords: re:x@paypa1.com", "X-Any: see http://example.org\r\n paypa1.com", "X-Originating-URL: <paypa1.com>",
	} {
		if r := scan(field); len(r.Links) > 0 {
			t.Errorf("%s: %v", field, placed(r))
		}
	}
}

// TestKindsOfRepair: a URL that a reader has to repair gets a low finding if its host has one, with
// its place. It is never linked.
func TestKindsOfRepair(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for written, host := range map[string]string{
		"www[.]paypa1[.]com": "paypa1.com", "hxxps://paypa1[.]com/login": "paypa1.com", "paypa1(dot)com": "paypa1.com", "paypa1 [dot] com": "paypa1.com",
		"paypa1 (DOT) com": "paypa1.com", "paypa1{.}com": "paypa1.com", "hxxp[:]//paypa1[.]com": "paypa1.com", "service[at]paypa1[.]com": "paypa1.com", "paypa1( . )com": "paypa1.com",
		"p\u0430ypal[.]com": "xn--pypal-4ve.com", "http[://]paypa1(.)com": "paypa1.com",
	} {
		content := "First line (with brackets).\r\nType [ " + written + " ] into your browser.\r\n"
		for name, raw := range map[string]string{"text": utf8Text(content), "HTML": string(htmlMessage("<p>" + content))} {
			r := f.Scan([]byte(raw))
			i := slices.IndexFunc(r.Links, func(l report.Found) bool { return l.Guessed })
			if i < 0 {
				t.Errorf("%s in %s: %v", written, name, placed(r))
				continue
			}
			l := r.Links[i]
			if worst := l.Verdict.Worst(); worst != policy.SeverityLow || !strings.HasSuffix(l.Link.ASCIIHost(), host) || l.Linked || l.Flagged || !l.Broken || r.Worst() != policy.SeverityNone {
				t.Errorf("%s in %s: %s, %+v", written, name, worst, l)
			}
			// The scheme stays before the host, in its other spelling.
			if at := raw[strings.Index(raw, "\r\n\r\n")+4:][l.Link.Start:l.Link.End]; !strings.HasSuffix(written, at) || len(at) < len("paypa1[.]com")-3 {
				t.Errorf("%s in %s: the place has %q", written, name, at)
			}
		}
	}
	for _, honest := range []string{"www[.]example[.]com", "hxxp://evil[.]example[.]net", "connect the dot com era (dot.com)", "a (.) b", "x [dot] y", "paypal[.]com", "(.paypa1 com)"} {
		if r := f.Scan([]byte(utf8Text(honest + "\r\n"))); slices.ContainsFunc(r.Links, func(l report.Found) bool { return l.Guessed }) {
			t.Errorf("%s: %v", honest, placed(r))
		}
	}
	if linked := linkedIn(t, newFilter(t, filter.Options{Rules: always()}), "See example.org/x and paypa1[.]com or example[.]org."); len(linked) != 1 {
		t.Errorf("linked %q", linked)
	}
}

// TestRepairIsLinear: a text that consists of pieces to repair takes linear time.
func TestRepairIsLinear(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, piece := range []string{"[.]", "a[.]b ", "( . )", "[[[", "x (dot) ", "paypa1[.]com "} {
		start := time.Now()
		f.Scan([]byte(utf8Text(strings.Repeat(piece, 4<<20/len(piece)) + "\r\n")))
		if took := time.Since(start); took > 6*time.Second {
			t.Errorf("%q: %s", piece, took)
		} else {
			t.Log(piece, took)
		}
	}
}
