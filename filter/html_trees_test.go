package filter_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/test/long"
	"github.com/linkmilter/linkmilter/policy"
)

// treesOf returns HTML of about n elements in shapes that mail has: nested, never closed, or closed in
// another order.
func treesOf(n int) map[string]string {
	return map[string]string{
		"nested boxes":       strings.Repeat("<div>", n) + "x",
		"nested spans":       "<p>" + strings.Repeat("<span>", n) + "x",
		"fonts not closed":   strings.Repeat("<font color=red>x ", n),
		"bold paragraphs":    strings.Repeat("<p><b>word ", n/2),
		"nested tables":      strings.Repeat("<table><tr><td>", n/4) + "x" + strings.Repeat("</td></tr></table>", n/4),
		"quotations":         strings.Repeat("<div class=\"gmail_quote\"><blockquote>x<br>", n/3),
		"items":              "<ul>" + strings.Repeat("<li>item <b>x</b>", n/2),
		"paragraphs of Word": strings.Repeat("<p class=MsoNormal><span lang=EN><o:p>&nbsp;</o:p></span></p>", n/3),
		"misnested marks":    strings.Repeat("<b><i>x</b>y</i>", n/3),
		"misnested fonts":    strings.Repeat("<font face=Arial><b><p>x</font>", n/3),
		"text between cells": "<table>" + strings.Repeat("<b>x<tr><td>y</td></tr>", n/4),
		"comments of Word":   strings.Repeat("<!--[if mso]><table><tr><td><![endif]--><div style=\"color:#333\">x</div><!--[if mso]></td></tr></table><![endif]-->", n/2),
		"pictures":           strings.Repeat("<p><svg width=1 height=1><g><path d=\"M0 0\"/></g></svg> x</p>", n/4),
		"links":              strings.Repeat("<center><font><b><a href=\"https://www.example.com/\">x</a>", n/5),
	}
}

// TestTreesOfManyElements: trees of 1,200 and 1,900 elements were "html-too-complex". Newsletters have
// as many.
func TestTreesOfManyElements(t *testing.T) {
	f := newFilter(t, filter.Options{})
	for _, n := range []int{300, 1200, 1900, 4000} {
		for name, source := range treesOf(n) {
			readToEnd(t, f, fmt.Sprintf("%s, %d", name, n), source)
		}
	}
}

// TestGeneratedTrees: sequences of tags that mail has, opened and closed by chance, are read to their end.
func TestGeneratedTrees(t *testing.T) {
	f := newFilter(t, filter.Options{})
	random := rand.New(rand.NewPCG(52, 9))
	tags := strings.Fields("<div> </div> <b> </b> <table> <tr> <td> </td> </tr> </table> <p> </p> <i> </i> <font> </font> <a> </a> text <span> </span> <br> <li> <ul> </ul> <center> </center> <h1> </h1> <u> </u>")
	for i := range long.Rows(400, 60) {
		var b strings.Builder
		for range 1000 + random.IntN(1500) {
			b.WriteString(tags[random.IntN(len(tags))])
		}
		readToEnd(t, f, fmt.Sprint(i), b.String())
	}
}

// readToEnd checks that a page is read up to a link behind it.
func readToEnd(t *testing.T, f *filter.Filter, name, source string) {
	t.Helper()
	const last = "https://www.example.org/last"
	r := f.Scan(htmlMessage("<html><body>" + source + "<p><a href=\"" + last + "\">the end</a></p></body></html>"))
	if len(r.Reasons) > 0 || r.Worst() >= policy.SeverityMedium {
		t.Errorf("%s: %s: %v", name, r, r.Reasons)
	}
	if len(r.Links) == 0 || !slices.ContainsFunc(placed(r), func(line string) bool { return strings.Contains(line, last) }) {
		t.Errorf("%s: the last link is not read", name)
	}
}
