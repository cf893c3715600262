package contentfilter

import (
	"crypto/tls"
	"slices"
	"strings"
	"testing"
)

// TestExtensionsAreTheNextHops: the server offers those extensions of the next hop that it passes
// on, and some that it serves itself.
func TestExtensionsAreTheNextHops(t *testing.T) {
	always := []string{"PIPELINING", "XFORWARD NAME ADDR PORT PROTO HELO IDENT SOURCE", "LIMITS RCPTMAX=1000"}
	tests := []struct {
		name    string
		hop     []string
		options Options
		want    []string // beside always
	}{
		{name: "nothing"},
		{
			name: "all of Postfix",
			hop: []string{
				"PIPELINING", "SIZE 10240000", "VRFY", "ETRN", "STARTTLS", "AUTH PLAIN", "ENHANCEDSTATUSCODES", "8BITMIME", "DSN", "SMTPUTF8", "CHUNKING", "BINARYMIME",
			},
			want: []string{"8BITMIME", "SMTPUTF8", "DSN", "ENHANCEDSTATUSCODES", "SIZE 10240000"},
		},
		{name: "keywords in small letters", hop: []string{"8bitmime", "size 5"}, want: []string{"8BITMIME", "SIZE 5"}},
		{name: "size without a number", hop: []string{"SIZE"}, want: []string{"SIZE"}},
		{name: "size zero", hop: []string{"SIZE 0"}, want: []string{"SIZE"}},
		{name: "own size smaller", hop: []string{"SIZE 100"}, options: Options{MaxSize: 50}, want: []string{"SIZE 50"}},
		{name: "own size larger", hop: []string{"SIZE 100"}, options: Options{MaxSize: 500}, want: []string{"SIZE 100"}},
		{name: "own size alone", options: Options{MaxSize: 50}, want: []string{"SIZE 50"}},
		{name: "TLS", options: Options{TLS: &tls.Config{Certificates: []tls.Certificate{{}}}}, want: []string{"STARTTLS"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hop := newSink(t, tt.hop...)
			tt.options.NextHop = NextHop{Address: hop.address()}
			c := start(t, tt.options).dial()
			answer := reply{text: c.say("EHLO client.example.org", "250-filter.example.org\r\n")}
			got, want := answer.lines()[1:], append(slices.Clone(always), tt.want...)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("offered %q, want %q", got, want)
			}
		})
	}
}

// TestParametersPass: parameters reach the next hop unchanged, if it knows them.
func TestParametersPass(t *testing.T) {
	all := []string{"8BITMIME", "SMTPUTF8", "SIZE 1000000", "DSN"}
	tests := []struct {
		hop     []string
		line    string
		forward string // "" for refused
		reply   string
	}{
		{all, "MAIL FROM:<a@example.org> BODY=8BITMIME SMTPUTF8 SIZE=100 RET=HDRS ENVID=QQ+2B1", "MAIL FROM:<a@example.org> BODY=8BITMIME SMTPUTF8 SIZE=100 RET=HDRS ENVID=QQ+2B1", "250"},
		{all, "mail from:<a@example.org> body=8bitmime", "MAIL FROM:<a@example.org> body=8bitmime", "250"},
		{all, "MAIL FROM:<>", "MAIL FROM:<>", "250"},
		{all, "MAIL FROM: <a@example.org>", "MAIL FROM:<a@example.org>", "250"},
		{all, `MAIL FROM:<"a b>"@example.org>`, `MAIL FROM:<"a b>"@example.org>`, "250"},
		{all, "MAIL FROM:<ä@ö.example> SMTPUTF8", "MAIL FROM:<ä@ö.example> SMTPUTF8", "250"},
		{all, "MAIL FROM:<a@example.org> BODY=BINARYMIME", "", "504"},
		{all, "MAIL FROM:<a@example.org> HOLDFOR=99", "", "500"},
		{all, "MAIL FROM:a@example.org>", "", "500"},
		{all, "MAIL FROM:a@example.org SIZE=100", "MAIL FROM:<a@example.org> SIZE=100", "250"},
		{all, `MAIL FROM:<"a\"> b"@example.org>`, `MAIL FROM:<"a\"> b"@example.org>`, "250"},
		{all, "MAIL FROM:<a@example.org", "", "501"},
		{all, `MAIL FROM:<"a@example.org>`, "", "501"},
		{all, "MAIL TO:<a@example.org>", "", "501"},
		{nil, "MAIL FROM:<a@example.org> SIZE=100 BODY=7BIT AUTH=<>", "MAIL FROM:<a@example.org>", "250"},
		{nil, "MAIL FROM:<a@example.org> BODY=8BITMIME", "", "555 5.5.4"},
		{nil, "MAIL FROM:<a@example.org> SMTPUTF8", "", "555 5.5.4"},
		{nil, "MAIL FROM:<a@example.org> RET=FULL", "", "555 5.5.4"},
		{nil, "MAIL FROM:<a@example.org> SIZE=5001", "", "552 5.3.4"},
		{all, "RCPT TO:<b@example.net> NOTIFY=SUCCESS,DELAY ORCPT=rfc822;b+2B@example.net", "RCPT TO:<b@example.net> NOTIFY=SUCCESS,DELAY ORCPT=rfc822;b+2B@example.net", "250"},
		{all, "RCPT TO:<Postmaster>", "RCPT TO:<Postmaster>", "250"},
		{all, "RCPT TO:<@relay.example:b@example.net>", "RCPT TO:<@relay.example:b@example.net>", "250"},
		{nil, "RCPT TO:<b@example.net> NOTIFY=NEVER", "", "555 5.5.4"},
		{nil, "RCPT TO:<b@example.net", "", "501"},
	}
	for _, tt := range tests {
		t.Run(tt.line, func(t *testing.T) {
			hop := newSink(t, tt.hop...)
			c := start(t, Options{NextHop: NextHop{Address: hop.address()}, MaxSize: 5000}).dial()
			c.say("EHLO client.example.org", "250")
			before := 1
			if strings.HasPrefix(tt.line, "RCPT") {
				c.say("MAIL FROM:<a@example.org>", "250")
				before++
			}
			c.say(tt.line, tt.reply)
			got := strings.Join(hop.commands()[before:], "\n")
			if got != tt.forward {
				t.Errorf("next hop got %q, want %q", got, tt.forward)
			}
		})
	}
}

// TestCommandsNotOffered: the server refuses commands that it does not offer.
func TestCommandsNotOffered(t *testing.T) {
	hop := newSink(t)
	s := start(t, Options{NextHop: NextHop{Address: hop.address()}})
	c := s.dial()
	c.say("MAIL FROM:<a@example.org>", "503 5.5.1")
	c.say("EHLO client.example.org", "250")
	c.say("AUTH PLAIN AGEAYg==", "502 5.5.1")
	c.say("STARTTLS", "502 5.5.1")
	c.say("VRFY a", "252")
	c.say("MAIL FROM:<a@example.org>", "250")
	c.say("MAIL FROM:<a@example.org>", "503 5.5.1")
	c.say("RCPT TO:<b@example.net>", "250")
	// The chunk must not be taken for commands.
	c.send("BDAT 10 LAST\r\nNOOP\r\nNOOP\r\n")
	c.want("502 5.5.1")
	if rest := c.reply(); rest != "" {
		t.Errorf("after BDAT: %q", rest)
	}
	if n := len(hop.messages()); n != 0 {
		t.Errorf("%d messages", n)
	}
}
