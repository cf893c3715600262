package page_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter/page"
)

// looking defines the function look, which lays a document out and returns the visible text of its
// link.
const looking = `
const transparent = color => /^rgba.*, 0\)$/.test(color) || color == "transparent";
const behind = e => {
	for (; e; e = e.parentElement) {
		const color = getComputedStyle(e).backgroundColor;
		if (!transparent(color)) return color;
	}
	return "rgb(255, 255, 255)";
};
const isClipped = (e, r) => {
	for (; e; e = e.parentElement) {
		const b = e.getBoundingClientRect(), s = getComputedStyle(e);
		if (s.display != "inline" && s.overflow != "visible" && (b.width < 1 || b.height < 1 || r.left >= b.right || r.top >= b.bottom || r.right <= b.left)) return true;
	}
	return r.right <= 0 || r.bottom <= 0;
};
const isSeen = t => {
	const e = t.parentElement, s = getComputedStyle(e);
	if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) return false;
	if (s.contentVisibility == "hidden" && s.display != "inline") return false;
	const color = s.webkitTextFillColor;
	if (transparent(color) || color == behind(e) || parseFloat(s.fontSize) < 1) return false;
	const range = document.createRange();
	range.selectNodeContents(t);
	return [...range.getClientRects()].some(r => r.width >= 1 && r.height >= 1 && !isClipped(e, r));
};
const look = source => {
	const host = document.createElement("div");
	host.style = "all: initial; display: block; position: absolute; left: 1000px; top: 1000px; width: 800px";
	document.body.append(host);
	const root = host.attachShadow({ mode: "open" });
	root.innerHTML = source;
	const walker = document.createTreeWalker(root.querySelector("a"), NodeFilter.SHOW_TEXT);
	let text = "";
	while (walker.nextNode()) if (isSeen(walker.currentNode)) text += walker.currentNode.data;
	host.remove();
	return text;
};
`

// declarations hide a text, or undo that.
var declarations = strings.Split(`display:none
display:inline
display:block
display:var(--a,none)
display:none!important
display:nonsense
visibility:hidden
visibility:visible
visibility:collapse
visibility:foo
visibility:inherit
opacity:0
opacity:1
opacity:0%
opacity:foo
font-size:0
font-size:12px
font-size:medium
font-size:foo
font-size:12foo
font:inherit
font-size:0.4px
font-size:calc(1px - 1px)
font:0/0 x
font:12px x
all:unset
all:initial
color:white
color:#fff
color:transparent
color:red
color:rgb(0 128 0)
color:hsl(120 100% 25%)
color:color-mix(in srgb, white, white)
color:inherit
color:foo
background:green
background:#fff
background:linear-gradient(red,red)
background-color:white
--a:inline
content-visibility:hidden
width:0;height:0;overflow:hidden;display:inline-block
max-width:0;overflow:clip;display:inline-block
height:0;overflow:hidden
width:0;overflow:hidden;display:block
position:absolute;left:-9999px
position:absolute;clip:rect(0,0,0,0)
position:fixed;top:-999em
clip-path:inset(100%)
transform:scale(0);display:inline-block
scale:0;display:inline-block
zoom:0.01
text-indent:-9999px;display:inline-block;overflow:hidden;width:9px
d\69splay:none
display/**/:/**/none
DISPLAY:NONE
filter:opacity(0)
-webkit-text-fill-color:transparent
-webkit-text-fill-color:white`, "\n")

// looks are attributes and elements that hide or show a text, which stands at |.
var looks = strings.Split(`<span class=c style="%s">|</span>
<span class="b c" style="%s">|</span>
<b class=b style="%s">|</b>
<i id=d style="%s">|</i>
<font color=white style="%s">|</font>
<font color=green size=1 style="%s">|</font>
<span hidden style="%s">|</span>
<p style="%s">|</p>
<u lang=x style="%s">|</u>
<details><summary></summary><span style="%s">|</span></details>
<ruby><rp style="%s">|</rp></ruby>
<template style="%s">|</template>
<bdo><span style="%s">|</span></bdo>`, "\n")

// selectors match elements of looks, and others.
var selectors = strings.Split(`.c|.b|#d|b|span|a span|a>b|.b.c|[lang]|[lang=x]|[class^=b]|:is(.b,.c)|:not(.b)|:where(#d)|*|span:first-child|:nth-child(2)|b+span|b~i|.zz|a:hover .c|.c:not(.b)|.\63 |:root .b|font`, "|")

// styledDocument returns a document with a link of letters with dots that styles hide and show.
func styledDocument(r *rand.Rand) string {
	pick := func(all []string) string { return all[r.IntN(len(all))] }
	var b strings.Builder
	for range r.IntN(4) {
		rule := pick(selectors) + "{" + pick(declarations) + ";" + pick(declarations) + "}"
		if r.IntN(4) == 0 {
			rule = pick([]string{"@media all{|}", "@media print{|}", "@supports (display:none){|}", "@layer x{|}", "a{|}", "a{& |}", "/*|*/|", "<!-- |", "@x;|"}) + ""
			rule = strings.ReplaceAll(rule, "|", pick(selectors)+"{"+pick(declarations)+"}")
		}
		fmt.Fprintf(&b, "<style>%s</style>", rule)
	}
	if r.IntN(3) == 0 {
		fmt.Fprintf(&b, `<div style="background:%s">`, pick([]string{"green", "red", "#008000", "white", "rgb(255,0,0)"}))
	}
	b.WriteString("<a href=http://x.example/>")
	// Every combination of few elements is read.
	pieces := 1 + r.IntN(3)
	for i := range pieces {
		letter := string(rune('k'+i)) + "."
		if r.IntN(4) == 0 {
			b.WriteString(letter)
			continue
		}
		inline := ""
		for range r.IntN(3) {
			inline += pick(declarations) + ";"
		}
		piece := fmt.Sprintf(pick(looks), strings.ReplaceAll(inline, `"`, ""))
		if pieces < 3 && r.IntN(2) == 0 {
			letter = fmt.Sprintf(`x.<span style="%s">y.</span>`, pick(declarations))
		}
		b.WriteString(strings.Replace(piece, "|", letter, 1))
	}
	b.WriteString("</a>")
	return b.String()
}

// TestChromiumSees: in documents with random styles, the readings include the text of the link that
// Chromium shows, or the link is reported as styled. LINKMILTER_BROWSE says how long the test runs.
func TestChromiumSees(t *testing.T) {
	browseFor(t, looking, "look", styledDocument, func(source, seen string, miss func(kind, format string, args ...any)) int {
		if seen = squeeze(seen); seen == "" {
			return 0
		}
		var readings []string
		reported := false
		for item, err := range page.Read(t.Context(), source, 1<<20) {
			if err != nil && !errors.Is(err, page.ErrTooComplex) {
				t.Fatal(err)
			}
			reported = reported || item.Styled || err != nil
			for _, text := range append(item.Readings, item.Text) {
				readings = append(readings, squeeze(text))
			}
		}
		if !reported && !slices.Contains(readings, seen) {
			miss("a text was missed", "%q, among %q, in %s", seen, readings, source)
		}
		return 1
	})
}
