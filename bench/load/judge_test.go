//go:build linux

package main

import (
	"bytes"
	"testing"
)

// TestJudgesRefuse: a judge lets no reply pass that is wrong in one place.
func TestJudgesRefuse(t *testing.T) {
	o, err := newOracle(linkmilterConfig)
	if err != nil {
		t.Fatal(err)
	}
	m := linked(author, 1)
	want, result := o.result(m)
	edited := newMail("", "", "", true, want)
	// A milter may also replace all fields: delete each, and add those of the edited message.
	var whole []change
	for _, f := range m.fields {
		whole = append(whole, change{code: changeHeader, index: 1, name: f.name})
	}
	for _, f := range edited.fields {
		whole = append(whole, change{code: addHeader, name: f.name, value: f.value})
	}
	whole = append(whole, change{code: replaceBody, body: edited.body})
	if bytes.Equal(edited.body, m.body) || result.Edited == nil {
		t.Fatal("the filter does not edit the message")
	}
	signature := change{code: insertHeader, name: "DKIM-Signature", value: "v=1; d=" + domain}
	body := change{code: replaceBody, body: m.body}
	for _, test := range []struct {
		name    string
		judge   judge
		changes []change
		final   byte
		wrong   bool
	}{
		{"linkmilter edits", o.judge, whole, accept, false},
		{"linkmilter edits and holds", o.judge, append([]change{{code: quarantine}}, whole...), accept, true},
		{"linkmilter leaves the message", o.judge, nil, accept, true},
		{"linkmilter changes the body only", o.judge, []change{{code: replaceBody, body: edited.body}}, accept, true},
		{"linkmilter refuses", o.judge, nil, replyCode, true},
		{"no-op", untouched, nil, accept, false},
		{"no-op with a field", untouched, []change{signature}, accept, true},
		{"no-op refuses", untouched, nil, tempFail, true},
		{"signed", adds("DKIM-Signature", "d="+domain), []change{signature}, accept, false},
		{"not signed", adds("DKIM-Signature", "d="+domain), nil, accept, true},
		{"signed and another body", adds("DKIM-Signature", "d="+domain), []change{signature, body}, accept, true},
		{"signer refuses", adds("DKIM-Signature", "d="+domain), []change{signature}, tempFail, true},
		{"refused as spam", keepsBody, nil, reject, false},
		{"another body", keepsBody, []change{body}, accept, true},
		{"no final reply", keepsBody, nil, 0, true},
	} {
		if err := test.judge(m, test.changes, test.final); (err != nil) != test.wrong {
			t.Errorf("%s: %v, want an error: %v", test.name, err, test.wrong)
		}
	}
}
