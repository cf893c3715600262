package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/axe"
	"github.com/linkmilter/linkmilter/internal/test/chromium"
)

// TestReportsInChromium: the reports in HTML can be read on wide and narrow screens, in
// dark and light colours, whatever the text of messages.
func TestReportsInChromium(t *testing.T) {
	f := newTestFilter(t)
	counts := newTrialCounts()
	env := localClient()
	texts := append([]string{"חשבונית 5", "مرحبا ١٢٣", strings.Repeat("A", 300), "a" + strings.Repeat("\u0323", 30)}, hostileTexts...)
	var messages []*scanned
	for _, text := range texts {
		raw := []byte("From: " + text + " <a@paypa1.com>\nSubject: " + text + "\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n" +
			"http://paypa1.com/" + text + " https://hi.wikipedia.org/wiki/%E0%A4%AE%E0%A4%B9 http://192.0.2.1/\n")
		messages = append(messages, newScanned(f, input{name: text + ".eml", raw: raw}, false, false))
		counts.add(newTrial(t.Context(), f, input{name: text + ".eml", raw: raw}, &env, true))
	}
	var trials strings.Builder
	if err := trialTemplate.Execute(&trials, counts.page(nil, false)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(trials.String(), `class="added"`) {
		t.Error("no edit is shown")
	}
	page := chromium.Open(t)
	made := regexp.MustCompile(`Made 20\d\d-\d\d-\d\d \d\d:\d\d [+-]\d{4}\.`)
	for name, text := range map[string]string{"scan": write(t, "html", messages), "try": trials.String()} {
		if !made.MatchString(strings.ReplaceAll(text, "&#43;", "+")) {
			t.Errorf("%s: does not say when it was made", name)
		}
		file := filepath.Join(t.TempDir(), name+".html")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, width := range []int{360, 1100} {
			for _, dark := range []bool{false, true} {
				page.Show(width, dark)
				page.Load("file://" + file)
				page.Evaluate("document.querySelectorAll('details').forEach(d => d.open = true)", nil)
				for _, problem := range append(layoutProblems(page), axe.Problems(t, page)...) {
					t.Errorf("%s, width %d, dark %v: %s", name, width, dark, problem)
				}
				if complaints := page.Complaints(); len(complaints) > 0 {
					t.Errorf("%s: %s", name, complaints)
				}
			}
		}
	}
}

// layoutProblems says whether a page is wider than the screen, or breaks short words of
// its tables.
func layoutProblems(page *chromium.Page) (problems []string) {
	page.Evaluate(`(() => {
		const problems = [];
		const root = document.documentElement;
		if (root.scrollWidth > root.clientWidth) problems.push("scrolls sideways by " + (root.scrollWidth - root.clientWidth));
		for (const cell of document.querySelectorAll("table:not(.links) td:not(.examples), th")) {
			const range = document.createRange();
			range.selectNodeContents(cell);
			const lines = new Set([...range.getClientRects()].map(r => Math.round(r.top))).size;
			if (lines > cell.textContent.split(/[ -]/).length) problems.push("breaks " + JSON.stringify(cell.textContent) + " into " + lines + " lines");
		}
		return problems;
	})()`, &problems)
	return problems
}
