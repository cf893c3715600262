package mime

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"
)

// declaredReasons returns the values of the constants in reason.go.
func declaredReasons(t *testing.T) []Reason {
	t.Helper()
	file, err := goparser.ParseFile(token.NewFileSet(), "reason.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var all []Reason
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, Reason(value))
		}
		return true
	})
	return all
}

// TestEveryReasonHasACause: the table of causes names every reason, and no other.
func TestEveryReasonHasACause(t *testing.T) {
	declared := declaredReasons(t)
	if len(declared) < 40 {
		t.Fatalf("only %d reasons found", len(declared))
	}
	for _, reason := range declared {
		if _, found := causes[reason]; !found {
			t.Errorf("reason %q has no cause", reason)
		}
	}
	for reason := range causes {
		if !slices.Contains(declared, reason) {
			t.Errorf("reason %q does not exist", reason)
		}
	}
}

// TestReasonMethods: the methods of a reason that other packages use.
func TestReasonMethods(t *testing.T) {
	for _, test := range []struct {
		reason          Reason
		chosen, guessed bool
	}{
		{reasonTooDeep, true, false},
		{reasonDuplicateBoundary, true, false},
		{reasonUnknownEncoding, true, false},
		{reasonInvalidBase64, false, false},
		{reasonUnknownCharset, false, false},
		{reasonUndeclared8Bit, false, true},
		{reasonC1Control, false, true},
		{reasonUndecodable, false, true},
		{reasonVerify, false, false},
		{"unknown", true, false},
	} {
		if got := test.reason.SenderChooses(); got != test.chosen {
			t.Errorf("%s: chosen by the sender: %v", test.reason, got)
		}
		if got := test.reason.Guessed(); got != test.guessed {
			t.Errorf("%s: guessed: %v", test.reason, got)
		}
	}
}
