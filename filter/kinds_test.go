package filter_test

import (
	"encoding/base64"
	"testing"

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

// TestKindsOfFiles: files that programs open by their type or name, which were opaque or
// read in part.
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
		{"application/atom+xml", "", `<feed><content type="html">&lt;a href="` + evil + `"&gt;` + shownAs + `&lt;/a&gt;</content></feed>`},
	} {
		if r := f.Scan(attached(file.mediaType, file.name, file.content)); worstLink(r) < policy.SeverityMedium {
			t.Errorf("%s %s: %s: %v", file.mediaType, file.name, r, placed(r))
		}
	}
}

// TestOpaqueKindsStay: what is not a text stays opaque, whatever it is called.
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

// TestKindsOfHTML: references that only some programs open: those of AMP, and actions in
// microdata and JSON.
func TestKindsOfHTML(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, source := range []string{
		`<amp-iframe src="` + lookLike + `"></amp-iframe>`,
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
	for _, honest := range []string{`<amp-img src="` + lookLike + `"></amp-img>`, `<input value="` + lookLike + `">`} {
		for _, l := range f.Scan([]byte("Content-Type: text/html\r\n\r\n" + honest)).Links {
			if l.Place != report.PlaceHTMLText {
				t.Errorf("%s: %v", honest, l.Link.Text)
			}
		}
	}
}
