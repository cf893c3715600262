package chromium

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// A Page is a page of a browser that reaches only 127.0.0.1.
type Page struct {
	tab *tab
	// loads counts documents that were loaded, frames excluded.
	loads int
	// complaints are what Complaints returns.
	complaints []string
}

// Open opens an empty page. The browser ends with the test.
func Open(tb testing.TB) *Page {
	tb.Helper()
	p := &Page{tab: openTab(tb)}
	p.tab.observe = p.observe
	p.tab.call("Runtime.enable", nil)
	p.tab.call("Log.enable", nil)
	return p
}

// observe records what a page must not do, and closes dialogs.
func (p *Page) observe(m message) {
	switch m.Method {
	case "Page.loadEventFired":
		p.loads++
	case "Page.javascriptDialogOpening":
		p.tab.send("Page.handleJavaScriptDialog", map[string]any{"accept": true})
		fallthrough
	case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Page.downloadWillBegin", "Page.windowOpen":
		p.complaints = append(p.complaints, fmt.Sprint(m.Method, " ", m.Params))
	}
}

// Load opens a URL and waits until it is loaded.
func (p *Page) Load(url string) {
	p.tab.tb.Helper()
	p.loading(func() { p.tab.call("Page.navigate", map[string]any{"url": url}) })
}

// Click clicks on the element of a CSS selector and waits for the document that this
// loads.
func (p *Page) Click(selector string) {
	p.tab.tb.Helper()
	p.loading(func() { p.Evaluate("document.querySelector("+quoted(selector)+").click()", nil) })
}

func (p *Page) loading(begin func()) {
	p.tab.tb.Helper()
	before := p.loads
	begin()
	for p.loads == before {
		p.observe(p.tab.next())
	}
}

// Fill writes a text into the form field of a CSS selector.
func (p *Page) Fill(selector, text string) {
	p.tab.tb.Helper()
	p.Evaluate("document.querySelector("+quoted(selector)+").value = "+quoted(text), nil)
}

// Evaluate evaluates an expression in JavaScript, waits for its promise, and decodes the
// value into one that result points to; nil: into none.
func (p *Page) Evaluate(expression string, result any) {
	p.tab.tb.Helper()
	answer := p.tab.call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}).Result
	if answer.Exception != nil {
		p.tab.tb.Fatalf("%.200s: %s", expression, answer.Exception)
	}
	if result == nil {
		return
	}
	if err := json.Unmarshal(answer.Value.Value, result); err != nil {
		p.tab.tb.Fatalf("%.200s: %v", expression, err)
	}
}

// Show shows pages at a width in CSS pixels, in dark or light colors.
func (p *Page) Show(width int, dark bool) {
	p.tab.tb.Helper()
	p.tab.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600})
	scheme := map[bool]string{true: "dark", false: "light"}[dark]
	p.tab.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}})
}

// Complaints returns all messages on the console, errors, dialogs, downloads and new
// windows so far, and forgets them.
func (p *Page) Complaints() []string {
	all := slices.Clone(p.complaints)
	p.complaints = nil
	return all
}

// quoted returns a text as a literal of JavaScript.
func quoted(text string) string {
	literal, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string has a form in JSON
	}
	return string(literal)
}
