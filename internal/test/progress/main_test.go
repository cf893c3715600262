package main

import (
	"strings"
	"testing"
)

// A failed test shows its output and a skipped one its reason; what passed is a line.
func TestReport(t *testing.T) {
	const events = `{"Action":"run","Package":"a/b","Test":"TestX"}
{"Action":"output","Package":"a/b","Test":"TestX","Output":"    x_test.go:3: wrong\n"}
{"Action":"fail","Package":"a/b","Test":"TestX"}
{"Action":"output","Package":"a/b","Test":"TestY","Output":"    y_test.go:5: SKIPPED, missing: root\n"}
{"Action":"skip","Package":"a/b","Test":"TestY"}
{"Action":"output","Package":"a/b","Test":"TestZ","Output":"    z_test.go:1: of no interest\n"}
{"Action":"pass","Package":"a/b","Test":"TestZ"}
{"Action":"fail","Package":"a/b","Elapsed":1.25}
{"Action":"pass","Package":"a/c","Elapsed":0.1}
`
	var b strings.Builder
	r := newReport(&b)
	r.read(strings.NewReader(events + "not JSON\n"))
	r.end()
	for _, want := range []string{
		"    x_test.go:3: wrong\nFAIL     1.2s  a/b\n", "ok     0.1s  a/c\n", "not JSON\n",
		"skipped 1: SKIPPED, missing: root\n", "FAILED a/b TestX\n", "2 packages in 0 s, 2 failures\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "of no interest") {
		t.Errorf("a test that passed is in\n%s", b.String())
	}
}
