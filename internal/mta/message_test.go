package mta

import (
	"strings"
	"testing"

	gomilter "github.com/emersion/go-milter"
)

func TestApplyMakesChangesAsAMailServerDoes(t *testing.T) {
	raw := "Subject: a\r\nX-Two: 1\r\nx-two: 2\r\nContent-Type: text/plain;\r\n charset=utf-8\r\n\r\nbody\r\n"
	for _, c := range []struct {
		name    string
		changes []gomilter.ModifyAction
		want    string
	}{
		{"nothing", nil, raw},
		{
			"the second field of a name, in any case",
			[]gomilter.ModifyAction{{Code: gomilter.ActChangeHeader, HeaderName: "X-Two", HeaderIndex: 2, HeaderValue: "new"}},
			strings.Replace(raw, "x-two: 2", "x-two: new", 1),
		},
		{
			"an empty value deletes",
			[]gomilter.ModifyAction{{Code: gomilter.ActChangeHeader, HeaderName: "x-two", HeaderIndex: 1}},
			strings.Replace(raw, "X-Two: 1\r\n", "", 1),
		},
		{
			"a folded value",
			[]gomilter.ModifyAction{{Code: gomilter.ActChangeHeader, HeaderName: "Content-Type", HeaderIndex: 1, HeaderValue: "a;\n b"}},
			strings.Replace(raw, "text/plain;\r\n charset=utf-8", "a;\r\n b", 1),
		},
		{
			"added at the end, inserted on top",
			[]gomilter.ModifyAction{
				{Code: gomilter.ActAddHeader, HeaderName: "X-End", HeaderValue: "e"},
				{Code: gomilter.ActInsertHeader, HeaderName: "X-Top", HeaderValue: "t"},
			},
			"X-Top: t\r\n" + strings.Replace(raw, "utf-8\r\n", "utf-8\r\nX-End: e\r\n", 1),
		},
		{
			"a body in two pieces",
			[]gomilter.ModifyAction{
				{Code: gomilter.ActReplBody, Body: []byte("one\n")},
				{Code: gomilter.ActReplBody, Body: []byte("two\n")},
			},
			strings.Replace(raw, "body\r\n", "one\r\ntwo\r\n", 1),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(split([]byte(raw)).apply(c.changes)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
