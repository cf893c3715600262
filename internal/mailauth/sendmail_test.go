package mailauth

import (
	"strings"
	"testing"
)

// TestSendmailKeeps: forms of addresses that a real Sendmail keeps, folds in another way, or
// changes (internal/test/e2e asks a real one again).
func TestSendmailKeeps(t *testing.T) {
	tests := []struct {
		value         string
		relaxed, same bool
	}{
		{" a@example.org", true, true},
		{"a@example.org", true, true},
		{"\r\n a@example.org", true, false},
		{"\ta@example.org", true, false},
		{" Anna <a@example.org>", true, true},
		{" Anna<a@example.org>", true, true},
		{" Anna  B <a@example.org>", true, true},
		{" Anna\r\n B\r\n <a@example.org>", true, true},
		{" <a@example.org>", true, true},
		{` "Anna, B." <a@example.org>`, true, true},
		{` "Anna \"X\" B" <a@example.org>`, true, true},
		{` Anna "B" <a.b+c_d-e=f@Example.ORG>`, true, true},
		{" =?utf-8?Q?J=C3=BCrgen?= =?utf-8?Q?J=C3=BCrgen?= <o'brien@example.org>", true, true},
		{" \"J\xC3\xBCrgen\" <a@example.org>", true, true},
		{" J\xC3\xBCrgen <a@example.org>", true, true},
		{" a@example.org, b@example.org", true, true},
		{" undisclosed-recipients:;", true, true},
		{" undisclosed-recipients: ;", true, true},
		{" a@example.org,\r\n b@example.org", true, false},
		{" a@example.org,  b@example.org", true, false},
		{" a@example.org \r\n", true, false},
		{" " + strings.Repeat("anna@example.org, ", 5) + "b@example.org", true, false},
		{" a@example.org,b@example.org", false, false},
		{" a@example.org , b@example.org", false, false},
		{" a@example.org\r\n , b@example.org", false, false},
		{" a@example.org, , b@example.org", false, false},
		{" a@example.org,", false, false},
		{" ,a@example.org", false, false},
		{" Anna B. <a@example.org>", false, false},
		{" Anna O'Brien <a@example.org>", false, false},
		{" =?utf-8?Q?J._B?= <a@example.org>", false, false},
		{" Anna (x) <a@example.org>", false, false},
		{" Anna <a@example.org> (x)", false, false},
		{" Anna <a@example.org", false, false},
		{" Anna <a@example.org> x", false, false},
		{" a@example.org.", false, false},
		{" a@localhost", false, false},
		{" a@example.org; b@example.org", false, false},
		{" Anna a@example.org", false, false},
		{" < a@example.org >", false, false},
		{" <@x.example:a@example.org>", false, false},
		{" group: a@example.org;", false, false},
		{` "Anna <a@example.org>`, false, false},
		{` "Anna\`, false, false},
		{" a\xC3\xBC@example.org", false, false},
		{" a\x00@example.org", false, false},
		{` "` + strings.Repeat("x", 200) + `" <a@example.org>`, false, false},
		{"", false, false},
		{" ", false, false},
		{" ,", false, false},
	}
	for _, tt := range tests {
		if got := sendmailKeeps("to", tt.value, true); got != tt.relaxed {
			t.Errorf("To:%q kept but for white space: %t", tt.value, got)
		}
		if got := sendmailKeeps("To", tt.value, false); got != tt.same {
			t.Errorf("To:%q kept: %t", tt.value, got)
		}
	}
	if !sendmailKeeps("Subject", "a@example.org,b@example.org", false) || sendmailKeeps("REPLY-TO", "a@example.org,b@example.org", true) {
		t.Error("which fields are written anew")
	}
}
