//go:build linux

package e2e

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHeaderFields edits messages with unusual headers. The fields that stay must keep every byte,
// folds and spaces included. So must those that move into the text part.
func TestHeaderFields(t *testing.T) {
	const rest = "From: a@example.test\r\nTo: b@example.test\r\nDate: Fri, 20 Nov 2026 10:00:00 +0000\r\n" +
		"Message-ID: <1@client.example>\r\nMIME-Version: 1.0\r\n"
	tests := []struct {
		name   string
		header string
		moved  string // is in the text part unchanged
	}{
		{
			name:   "no space after the colon",
			header: rest + "X-None:value\r\nContent-Type:text/plain;charset=utf-8\r\nContent-Transfer-Encoding:8bit\r\n",
			moved:  "Content-Type:text/plain;charset=utf-8\r\nContent-Transfer-Encoding:8bit\r\n",
		},
		{
			name:   "many spaces and tabs",
			header: rest + "X-Two:  value  \r\nX-Tab:\tvalue\t\r\nContent-Type: \t text/plain;\tcharset=utf-8\r\nContent-Transfer-Encoding:   8bit\r\n",
			moved:  "Content-Type: \t text/plain;\tcharset=utf-8\r\nContent-Transfer-Encoding:   8bit\r\n",
		},
		{
			name:   "folded",
			header: rest + "Subject: one\r\n two\r\n\tthree\r\nContent-Type:\r\n text/plain;\r\n\tcharset=utf-8\r\nContent-Transfer-Encoding:\r\n 8bit\r\n",
			moved:  "Content-Type:\r\n text/plain;\r\n\tcharset=utf-8\r\nContent-Transfer-Encoding:\r\n 8bit\r\n",
		},
		{
			name:   "same name again, other case, empty",
			header: rest + "X-A: 1\r\nX-A: 2\r\nx-a: 3\r\nX-Empty:\r\nCONTENT-TYPE: text/plain; charset=utf-8\r\ncontent-transfer-encoding: 8bit\r\nX-A: 4\r\n",
			moved:  "CONTENT-TYPE: text/plain; charset=utf-8\r\ncontent-transfer-encoding: 8bit\r\n",
		},
		{
			name:   "content fields first and last",
			header: "Content-Transfer-Encoding: 8bit\r\nContent-Language: hi\r\n" + rest + "Content-Type: text/plain; charset=utf-8\r\n",
			moved:  "Content-Transfer-Encoding: 8bit\r\nContent-Language: hi\r\nContent-Type: text/plain; charset=utf-8\r\n",
		},
		{
			name:   "address lists",
			header: rest + "Cc: b@example.test,c@example.test, D <d@example.test>\r\nReply-To: a@example.test,b@example.test\r\nContent-Type: text/plain; charset=utf-8\r\n",
			moved:  "Content-Type: text/plain; charset=utf-8\r\n",
		},
		{
			name: "long and many",
			header: rest + "References:" + strings.Repeat(" <0123456789012345678901234567890123456789@client.example>\r\n", 40) +
				strings.Repeat("X-Many: value\r\n", 200) + "Content-Type: text/plain; charset=utf-8\r\n",
			moved: "Content-Type: text/plain; charset=utf-8\r\n",
		},
		{
			name:   "no MIME fields",
			header: "From: a@example.test\r\nTo: b@example.test\r\nSubject: x\r\n",
		},
	}
	onEach(t, func(t *testing.T, kind kind) {
		p := startPair(t, kind)
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				message := []byte(test.header + "\r\nsee " + typedLink + "\r\n")
				without, with := p.both(t, Envelope{Params: "BODY=8BITMIME"}, message)
				if !edited(without, with) {
					t.Fatal("not edited")
				}
				if test.moved != "" && !strings.Contains(with.Body, "\n"+lf(test.moved)) {
					t.Errorf("the text part's header is not %q:\n%s", test.moved, with.Body)
				}
				mask := maskOwnFields(message)
				if diff := cmp.Diff(withoutContent(mask(without.Header)), withoutContent(mask(with.Header))); diff != "" {
					t.Errorf("header changed (-without +with linkmilter):\n%s", diff)
				}
			})
		}
	})
}

// withoutContent returns the fields that do not describe the body, which an edit must leave
// unchanged. (An edit adds a missing MIME-Version.)
func withoutContent(fields []string) (kept []string) {
	for _, field := range fields {
		if name := fieldName(field); !strings.HasPrefix(name, "content-") && name != "mime-version" {
			kept = append(kept, field)
		}
	}
	return kept
}
