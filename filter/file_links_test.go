package filter_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/policy"
)

// inGzip returns a content in gzip.
func inGzip(tb testing.TB, content string) string {
	tb.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(content)); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// inPropertyList returns a property list with a file in lines of base64.
func inPropertyList(content string) string {
	encoded := base64.StdEncoding.EncodeToString([]byte(content))
	return "<?xml version=\"1.0\"?><plist><dict><key>Data</key><data>\n\t" + encoded[:32] + "\n\t" + encoded[32:] + "\n</data></dict></plist>"
}

// TestTextsOfLinksInFiles: in files that programs open, a text that names another site than its
// link is found.
func TestTextsOfLinksInFiles(t *testing.T) {
	f := newFilter(t, filter.Options{})
	const svg = `<svg xmlns="http://www.w3.org/2000/svg"><a href="` + evil + `"><text>` + shownAs + `</text></a></svg>`
	for name, file := range map[string]struct{ mediaType, name, content string }{
		"RTF field":               {"application/rtf", "", `{\rtf1{\field{\*\fldinst{HYPERLINK "` + evil + `"}}{\fldrslt{` + shownAs + `}}}}`},
		"RTF by another type":     {"text/richtext", "", `{\rtf1{\field{\*\fldinst HYPERLINK "` + evil + `"}{\fldrslt ` + shownAs + `}}}`},
		"RTF by content":          {"application/msword", "x.doc", `{\rtf1{\field{\*\fldinst HYPERLINK ` + evil + `}{\fldrslt ` + shownAs + `}}}`},
		"RTF in pieces":           {"text/rtf", "", `{\rtf1{\field{\*\fldinst{HYPER}{LINK "` + evil + `"}}{\fldrslt{https://www.pay}{\b pal.}{\i com/}}}}`},
		"RTF with hidden text":    {"text/rtf", "", `{\rtf1{\field{\*\fldinst{HYPERLINK \\l "a" \\o "b" "` + evil + `"}}{\fldrslt{https://www.pay{\v xx}pal.com/}}}}`},
		"RTF hides a text":        {"text/rtf", "", `{\rtf1 http://pay{\v hidden}pa1.com/login}`},
		"RTF hides up to a word":  {"text/rtf", "", `{\rtf1 http://pay\v hidden\v0 pa1.com/login}`},
		"RTF with HTML":           {"text/rtf", "", `{\rtf1\fromhtml1{\*\htmltag64 <a href="` + evil + `">}\htmlrtf x\htmlrtf0 ` + shownAs + `{\*\htmltag72 </a>}}`},
		"formula in CSV":          {"text/csv", "", `a,"=HYPERLINK(""` + evil + `"",""` + shownAs + `"")"`},
		"formula with semicolon":  {"application/octet-stream", "x.tsv", "a\t=hyperlink( \"" + evil + "\" ; \"" + shownAs + "\" )"},
		"formula in SYLK":         {"application/octet-stream", "x.slk", "ID;P\r\nC;X1;Y1;K\"x\";EHYPERLINK(\"" + evil + "\",\"" + shownAs + "\")\r\nE\r\n"},
		"RTF field of a line":     {"text/rtf", "", "{\\rtf1{\\field{\\*\\fldinst HYPERLINK\n\"" + evil + "\"}{\\fldrslt " + shownAs + "}}}"},
		"RTF with a short head":   {"application/octet-stream", "x.doc", `{\rt{\field{\*\fldinst HYPERLINK "` + evil + `"}{\fldrslt ` + shownAs + `}}}`},
		"formula in .xls":         {"application/vnd.ms-excel", "x.xls", "a\t=HYPERLINK(\"" + evil + "\",\"" + shownAs + "\")"},
		"RTF of type text":        {"text/plain", "x.doc", `{\rtf1{\field{\*\fldinst HYPERLINK "` + evil + `"}{\fldrslt ` + shownAs + `}}}`},
		"HTML of type text":       {"text/csv", "x.xls", "\ufeff<html><a href=" + evil + ">" + shownAs + "</a>"},
		"HTML of type RTF":        {"application/rtf", "x.rtf", "<html><a href=" + evil + ">" + shownAs + "</a>"},
		"message of type text":    {"text/plain", "x.wps", "From: x\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<a href=" + evil + ">" + shownAs + "</a>"},
		"formula of type text":    {"text/plain", "x.xls", `a,"=HYPERLINK(""` + evil + `"",""` + shownAs + `"")"`},
		"formula of type picture": {"image/png", "x.xlt", "=HYPERLINK(\"" + evil + "\",\"" + shownAs + "\")"},
		"HTML by the type alone":  {"application/msword", "x.txt", "<html><a href=" + evil + ">" + shownAs + "</a>"},
		"formula in a long line":  {"text/csv", "", strings.Repeat("(,", 16<<10-20) + `=HYPERLINK("` + evil + `","` + shownAs + `")` + strings.Repeat("(,", 32<<10)},
		"formula behind a quote":  {"text/csv", "", `HYPERLINK(",=HYPERLINK("` + evil + `","` + shownAs + `")`},
		"formula behind brackets": {"text/csv", "", `=HYPERLINK` + strings.Repeat("(", 99) + `,=HYPERLINK("` + evil + `","` + shownAs + `")`},
		"formula in French":       {"text/csv", "", `a;=LIEN_HYPERTEXTE("` + evil + `";"` + shownAs + `")`},
		"formula in Italian":      {"text/csv", "", `"=collegamento(1)";"=COLLEG.IPERTESTUALE (""` + evil + `"";""` + shownAs + `"")"`},
		"formula in Russian":      {"text/csv", "", `=Гиперссылка("` + evil + `";"` + shownAs + `")`},
		"formula in Polish":       {"image/png", "x.csv", `=ЕСЛИ(1;HIPERŁĄCZE("` + evil + `";"` + shownAs + `"))`},
		"formula with a prefix":   {"text/csv", "", `=_xlfn.HYPERLINK("` + evil + `","` + shownAs + `")`},
		"label in vCard":          {"text/vcard", "", "BEGIN:VCARD\r\nitem1.URL;type=pref:" + evil + "\r\nitem1.X-ABLabel:" + shownAs + "\r\nEND:VCARD"},
		"label before its URL":    {"text/x-vcard", "", "BEGIN:VCARD\r\nA.x-ablabel:www.paypal.com\r\na.url:" + evil + "\r\nEND:VCARD"},
		"CDATA in XHTML":          {"application/xhtml+xml", "", `<html xmlns="http://www.w3.org/1999/xhtml"><a href="` + evil + `">https://www.<![CDATA[paypal]]>.com/</a></html>`},
		"CDATA in .xht":           {"application/octet-stream", "x.xht", `<html xmlns="http://www.w3.org/1999/xhtml"><a href="` + evil + `">https://www.<![CDATA[paypal]]>.com/</a></html>`},
		"references in a script":  {"application/xhtml+xml", "", `<html xmlns="http://www.w3.org/1999/xhtml"><script>location="http:&#x2f;/paypa1.com"</script></html>`},
		"SVG in gzip":             {"image/svg+xml", "x.svgz", inGzip(t, svg)},
		"SVG in gzip by name":     {"application/octet-stream", "x.svgz", inGzip(t, svg)},
		"HTML in JSON":            {"application/ld+json", "", `{"x":"\u003ca href=\"` + evil + `\">https:\/\/www.paypal.com\/\u003c/a>"}`},
		"URL in jCal":             {"application/calendar+json", "", `["vcalendar",[],[["vevent",[["url",{},"uri","http:\/\/pay\u0070a1.com\/"]],[]]]]`},
		"URL in JSON":             {"application/octet-stream", "x.json", `{"u":"\u0068\u0074tp:\/\/paypa1\u002ecom"}`},
		"URL in a script":         {"text/javascript", "", `location="http:\x2f\57pay\u{70}a1.com"`},
		"enriched parameter":      {"text/enriched", "", "http://pay<color><param>red</param></color>pa1.com/login"},
		"comment in richtext":     {"text/richtext", "", "http://pay<comment>x</comment>pa1.com/login"},
		"second of a mailbox":     {"application/mbox", "", "From a@b Sun\r\nSubject: x\r\n\r\nHi\r\n\r\nFrom a@b Sun\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<a href=3D" + lookLike + ">x</a>\r\n"},
		"third of a mailbox":      {"application/octet-stream", "x.mbox", "From a\nSubject: x\n\nHi\n\nFrom b\nSubject: x\n\nHi\n\nFrom c\nContent-Transfer-Encoding: quoted-printable\n\nhttp=3A//paypa1=2Ecom/\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if r := f.Scan(attached(file.mediaType, file.name, file.content)); worstLink(r) < policy.SeverityMedium {
				t.Errorf("%s: %v", r, placed(r))
			}
		})
	}
	for name, file := range map[string]struct{ mediaType, name, content string }{
		"RTF":    {"application/rtf", "", `{\rtf1{\fonttbl{\f0 Times.New;}}{\field{\*\fldinst{HYPERLINK "https://www.example.com/"}}{\fldrslt{\ul www.example.com}}}\par {\v x}{\field{\*\fldinst PAGE}{\fldrslt 1}}}`},
		"reply":  {"application/rtf", "", `{\rtf1\fromhtml1{\*\htmltag64 <a href="https://www.example.com/">}\htmlrtf {\field{\*\fldinst{HYPERLINK "https://www.example.com/"}}{\fldrslt\htmlrtf0 {\*\htmltag84 <img src="https://cdn.example.net/x.png">}Shop www.example.com\htmlrtf }\htmlrtf0 }{\*\htmltag72 </a>}}`},
		"vCard":  {"text/vcard", "", "BEGIN:VCARD\r\na.X-ABLabel:www.paypal.com\r\nb.URL:https://www.example.com/\r\nEND:VCARD\r\nBEGIN:VCARD\r\na.URL:https://www.example.com/\r\nEND:VCARD"},
		"table":  {"text/csv", "", "a,=HYPERLINK(\"https://www.example.com/\",\"www.example.com\")\r\nb,(x)"},
		"XHTML":  {"application/xhtml+xml", "", `<html xmlns="http://www.w3.org/1999/xhtml"><script>//<![CDATA[` + "\n" + `if (a < b) x();` + "\n" + `//]]></script><a href="https://www.example.com/">www.example.com</a></html>`},
		"letter": {"text/plain", "x.doc", "From: Anna\r\nTo: Bob\r\n\r\n<a href=" + evil + ">" + shownAs + "</a>"},
		"list":   {"text/plain", "x.xls", "To:\tx\r\nwww.example.com\t=HYPERLINK(\"https://www.example.com/\",\"www.example.com\")"},
		"JSON":   {"application/json", "", `{"a":"https:\/\/www.example.com\/","b":"\u003cp>www.example.com\u003c/p>","c":"\ud83d\ude00"}`},
		"script": {"text/javascript", "", `x = "<a href='" + url + "'>" + name + "</a>"; y = "\n\0";`},
	} {
		t.Run("honest "+name, func(t *testing.T) {
			if r := f.Scan(attached(file.mediaType, file.name, file.content)); r.Worst() >= policy.SeverityMedium || r.Outcome != report.OutcomeComplete {
				t.Errorf("%s: %v", r, placed(r))
			}
		})
	}
}

// TestManyLabels: a vCard with more labels than the filter compares is partial.
func TestManyLabels(t *testing.T) {
	var many strings.Builder
	for i := range 999 {
		fmt.Fprintf(&many, "a%d.X-ABLabel:x\r\n", i)
	}
	f := newFilter(t, filter.Options{})
	if r := f.Scan(attached("text/vcard", "", "BEGIN:VCARD\r\n"+many.String()+"END:VCARD\r\n")); r.Outcome != report.OutcomePartial {
		t.Errorf("%s", r)
	}
}

// TestGeneratedTextsInRTF: the text of a link in RTF is compared with its target, in whatever form
// the field is written.
func TestGeneratedTextsInRTF(t *testing.T) {
	f := newFilter(t, filter.Options{})
	h := hiddenPart{rand.New(rand.NewPCG(7, 8))}
	written := func(s string) string {
		var b strings.Builder
		for _, c := range []byte(s) {
			b.WriteString(h.pick(string(c), string(c), string(c), string(c), fmt.Sprintf(`\'%02x`, c), fmt.Sprintf(`\u%d?`, c), "{"+string(c)+"}", "{\\b "+string(c)+"}", "\r\n"+string(c), string(c)+`{\v x}`))
		}
		return b.String()
	}
	for range 500 {
		url := strings.ReplaceAll(written(evil), `{\v x}`, "")
		source := `{\rtf1 x ` + h.pick("", `{\*\generator x;}`, `\par `) + `{\field` + h.pick("", `\flddirty`) + `{\*\fldinst `
		group := h.pick("|", "{|}")
		source += strings.Replace(group, "|", `HYPERLINK `+h.pick("", `\\o "tip" `, `\\l "x" `)+`"`+url+`"`, 1)
		source += `}{\fldrslt ` + h.pick("", `\ul `, `\cf1 `) + written(h.pick(shownAs, "www.paypal.com", "paypal.com/login")) + `}}}`
		if r := f.Scan(attached(h.pick("text/rtf", "application/rtf", "text/richtext", "application/octet-stream"), "", source)); worstLink(r) < policy.SeverityMedium {
			t.Fatalf("%s\n%s: %v", source, r, placed(r))
		}
	}
}

// TestUnknownFormulas: if a formula makes a link from cells, or by a function that is not known,
// the report says so. For formulas that are known, it does not, also with doubled quotes in their
// texts.
func TestUnknownFormulas(t *testing.T) {
	f := newFilter(t, filter.Options{})
	table := func(formula string) []string {
		return []string{formula, "a;" + formula, `a,"` + strings.ReplaceAll(formula, `"`, `""`) + `"`}
	}
	for _, formula := range []string{
		`=HYPERLINK(A1,"` + shownAs + `")`, `=HYPERLINK("` + evil + `",A1)`, `=HYPERLINK(A1&B1&C1)`, `=HYPERLINK("http"&$A$1;"x")`, `=HYPERLINK(INDIRECT("A1"),"x")`, `=HYPERLINK('a"b'!A1,"x")`,
		`=LET(a,"` + evil + `",HYPERLINK(a,"x"))`, `=LAMBDA(x,HYPERLINK(x,"x"))("` + evil + `")`, `=HYPERLINK({"` + evil + `"},"x")`, `=HYPERLINK([.A1];"x")`, `=HYPERLINK(Table[["]"x")`,
		`=HYPERLINK(A1:B1 A1:A2,"x")`, `=HYPERLINK(CHAR(100+4)&"ttps://evil.example.net/","x")`, `=HYPERLINK(VERKETTEN("http:";"//x.example");"x")`, `=HYPERLINK(REPLACE("x",1,1,"y"),"z")`,
		`=HYPERLINK("https://www.example.com/",SUBSTITUTE("bab","b","a",2))`, `=HYPERLINK("https://evil"&".example.net/","x")`, `=IFERROR(IF(A1,HYPERLINK(LEFT("` + evil + `/y",99);TEXTJOIN("",1,"www.","paypal.com"))),"")`,
		`=HYPERLINK(CHAR(104)&"ttps://evil"&UNICHAR(46)&"example.net/x","www.pay"&"pal.com")`, `=HYPERLINK("h"&REPT("t",2)&"ps://evil.example.net/x","` + shownAs + `")`, `=HYPERLINK(CONCATENATE("https://www.example.com/",1),_xlfn.TEXTJOIN(", ",TRUE,"a","b"))`,
		`=LIEN_HYPERTEXTE(L1C1;"x")`, "=HYPERLINK(\"" + evil + "\",\n\"" + shownAs + "\")",
	} {
		for _, content := range table(formula) {
			if r := f.Scan(attached("text/csv", "a.csv", content)); r.Outcome != report.OutcomePartial {
				t.Errorf("%s: %s", content, r)
			}
		}
	}
	for mediaType, content := range map[string]string{
		"application/x-sylk":       "ID;P\r\nC;Y1;X1;K\"" + evil + "\"\r\nC;Y2;X1;K\"x\";EHYPERLINK(R1C1,\"" + shownAs + "\")\r\nE\r\n",
		"application/xml":          `<Cell ss:Formula="=HYPERLINK(RC[-1],&quot;` + shownAs + `&quot;)"/>`,
		"application/vnd.ms-excel": `<Cell ss:Formula = '=HYPERLINK(R1C1,"` + shownAs + `")'/>`,
	} {
		if r := f.Scan(attached(mediaType, "", content)); r.Outcome != report.OutcomePartial {
			t.Errorf("%s: %s", mediaType, r)
		}
	}
	long := strings.Repeat("(,", 16<<10-20)
	for _, formula := range []string{
		`=HYPERLINK("https://www.example.com/?a=1&b=(2)","it's #1")`, `=IF(A1="";"";HYPERLINK("https://www.example.com/";"say ""hi"""))`, `=HYPERLINK( "#Sheet1!A1" , "-" )`, `=HYPERLINK("https://www.example.com/","")`,
		`=A1+SUM(B1:B9)`, `name,hyperlink (optional)`, long + `=HYPERLINK("https://www.example.com/","` + strings.Repeat("x", 99) + `")` + long,
	} {
		for _, content := range table(formula) {
			if r := f.Scan(attached("text/csv", "a.csv", content)); r.Outcome != report.OutcomeComplete || r.Worst() >= policy.SeverityMedium {
				t.Errorf("%s: %s: %v", content, r, placed(r))
			}
		}
	}
}

// TestGeneratedFormulas: in whatever form a formula has its texts, they are compared, or the report
// says that they are not known.
func TestGeneratedFormulas(t *testing.T) {
	f := newFilter(t, filter.Options{})
	h := hiddenPart{rand.New(rand.NewPCG(9, 10))}
	partial := 0
	made := func(s string) string {
		n := 1 + h.IntN(len(s)-1)
		first, second := `"`+s[:n]+`"`, `"`+s[n:]+`"`
		return h.pick(`"`+s+`"`, `"`+s+`"`, first+"&"+second, "CONCAT("+first+","+second+")", "T( \""+s+"\")&\"\"", "LEFT(\""+s+"x\","+fmt.Sprint(len(s))+")")
	}
	for range 500 {
		formula := h.pick("=", "+", "=IFERROR(", "@", "=1*") + h.pick("HYPERLINK", "hyperlink", "HyperLink") + h.pick("(", " ( ") + made(evil) + h.pick(",", ";", " , ") + made(h.pick(shownAs, "www.paypal.com")) + ")"
		if h.IntN(2) == 0 {
			formula = `a,"` + strings.ReplaceAll(formula, `"`, `""`) + `"`
		}
		r := f.Scan(attached(h.pick("text/csv", "text/tab-separated-values"), "x.csv", formula))
		if r.Outcome == report.OutcomePartial {
			partial++
		} else if worstLink(r) < policy.SeverityMedium {
			t.Fatalf("%s: %v", formula, placed(r))
		}
	}
	if partial == 0 || partial > 450 {
		t.Errorf("%d of 500 are partial", partial)
	}
	for _, long := range []string{"HYPERLINK(", `HYPERLINK("`, "=HYPERLINK(\"\"\"", `""`, `HYPERLINK("a"&`} {
		if r := f.Scan(attached("text/csv", "x.csv", strings.Repeat(long, 200_000))); r.Worst() > policy.SeverityMedium {
			t.Errorf("%s: %s", long, r)
		}
	}
}

// TestFieldsOfParts: URLs are found in header fields of a part that programs open.
func TestFieldsOfParts(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, field := range []string{
		"X-Mozilla-Cloud-Part: cloudFile; url=" + lookLike + "; name=x", "X-Mozilla-Cloud-Part: cloudFile;\r\n url=\"" + lookLike + "\"", "Content-Description: see " + lookLike, "X-Any: =?utf-8?q?http=3A//paypa1=2Ecom?=",
	} {
		if r := f.Scan(beside("Content-Type: application/pdf\r\n"+field, "%PDF")); worstLink(r) < policy.SeverityMedium {
			t.Errorf("%s: %v", field, placed(r))
		}
	}
	url := "message/external-body; access-type=URL; URL*=us-ascii''http%3A%2F%2Fpaypa1.com%2Flogin"
	if r := f.Scan(beside("Content-Type: "+url, "Content-Type: text/html\r\n\r\n")); worstLink(r) < policy.SeverityMedium {
		t.Errorf("%s: %v", url, placed(r))
	}
	if r := f.Scan(beside("Content-Type: text/plain\r\nX-Mozilla-Cloud-Part: cloudFile; url=https://www.example.org/x", "x")); len(r.Links) > 0 {
		t.Errorf("%v", placed(r))
	}
}

// TestCompressedContentThatStays: for a content that cannot be read, the report names the kind.
func TestCompressedContentThatStays(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for name, r := range map[string]report.Report{
		"not gzip":     f.Scan(attached("image/svg+xml", "x.svgz", "\x1f\x8b\x00broken")),
		"BinHex":       f.Scan(attached("application/mac-binhex40", "", "(This file must be converted with BinHex 4.0)\r\n\r\n:x:")),
		"OneNote":      f.Scan(attached("application/octet-stream", "", "\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3")),
		"Zstandard":    f.Scan(attached("application/x-any", "x", "\x28\xb5\x2f\xfd"+strings.Repeat("a", 99))),
		"PDF behind":   f.Scan(attached("application/octet-stream", "", "\n\nx %PDF-1.4\n")),
		"NULs":         f.Scan(attached("application/octet-stream", "", "SQLite format 3"+strings.Repeat("\x00\x10\x00\x01\x01 abc", 20))),
		"RIFF":         f.Scan(attached("application/octet-stream", "", "RIFF\x00\x00\x00\x00WAVE")),
		"files in XML": f.Scan(attached("application/x-webarchive", "x.webarchive", inPropertyList("<html><body>Dear customer, please sign in:"+trap))),
		"HTML in gz":   f.Scan(attached("application/gzip", "x.html.gz", inGzip(t, trap))),
	} {
		if !slices.ContainsFunc(r.Findings, func(f policy.Finding) bool { return f.Code == report.CodeOpaque }) {
			t.Errorf("%s: %v", name, r.Findings)
		}
	}
	bomb := inGzip(t, strings.Repeat(" ", 64<<20)+"<svg/>")
	if r := f.Scan(attached("image/svg+xml", "x.svgz", bomb)); r.Outcome == report.OutcomeComplete {
		t.Errorf("bomb: %s", r)
	}
}
