package contentfilter

import (
	"fmt"
	"strings"
	"testing"
)

const smallHeader = "From: a@example.org\r\nSubject: x\r\n\r\n"

// TestSmuggling: bytes that one server takes for the end of a message, and another does not, never
// end a message, and by default the message is refused.
func TestSmuggling(t *testing.T) {
	second := "MAIL FROM:<evil@example.org>\r\nRCPT TO:<b@example.net>\r\nDATA\r\n" + smallHeader + "smuggled"
	for _, end := range []string{
		"\n.\n", "\n.\r\n", "\r\n.\n", "\r.\r", "\r\n.\r", "\r.\r\n", "\r\n.\r\r\n", "\r\r\n.\n", "\n\r.\r\n", "\r\n\x00.\r\n", "\r\n.\x00\r\n", "\r\n.\r\x00\n", "\n\n.\n\n",
	} {
		for _, pass := range []bool{false, true} {
			t.Run(fmt.Sprintf("%q %t", end, pass), func(t *testing.T) {
				hop := newSink(t)
				s := start(t, Options{NextHop: NextHop{Address: hop.address()}, PassBareLineEnds: pass})
				c := s.dial()
				c.data()
				content := smallHeader + "first" + end + second + "\r\n"
				c.send(content + ".\r\nNOOP\r\n")
				// One reply to the whole message, and one to NOOP.
				bare := strings.ContainsAny(strings.ReplaceAll(end, "\r\n", ""), "\r\n")
				if bare && !pass {
					c.want("550 5.6.0")
				} else {
					c.want("250 2.0.0 Ok: queued")
				}
				c.want("250 2.0.0 I have")
				c.say("QUIT", "221")
				if bare && !pass {
					if n := len(hop.messages()); n != 0 {
						t.Errorf("%d messages", n)
					}
					return
				}
				// The client doubled no dots, so the server removes one at the beginning of each
				// line.
				want := strings.ReplaceAll(content, "\r\n.", "\r\n")
				if got := hop.one().message(t); got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			})
		}
	}
}

// TestEndAfterCR: the end of a message counts whatever precedes it. A server that does not see it
// takes the next commands for content.
func TestEndAfterCR(t *testing.T) {
	hop := newSink(t)
	s := start(t, Options{NextHop: NextHop{Address: hop.address()}, PassBareLineEnds: true})
	c := s.dial()
	c.data()
	c.send(smallHeader + "text\r\r\n.\r\nRSET\r\n")
	c.want("250 2.0.0 Ok: queued")
	c.want("250")
	if got, want := hop.one().message(t), smallHeader+"text\r\r\n"; got != want {
		t.Errorf("got %q", got)
	}
}

// Bytes that mean nothing to a relay arrive unchanged.
func TestContentPassesUnchanged(t *testing.T) {
	var every strings.Builder
	for b := range 256 {
		if b != '\r' && b != '\n' {
			every.WriteByte(byte(b))
		}
	}
	for name, content := range map[string]string{
		"empty":              "",
		"one empty line":     "\r\n",
		"no header":          "just text\r\n",
		"no body":            "Subject: x\r\n",
		"continuation first": " folded\r\nSubject: x\r\n\r\nx\r\n",
		"every byte":         smallHeader + every.String() + "\r\n",
		"NUL":                smallHeader + "\x00\r\n\x00",
		"8 bit":              smallHeader + "Grüße\r\n",
		"no UTF-8":           smallHeader + "\xff\xfe\r\n",
		"line of 998":        smallHeader + strings.Repeat("x", 998) + "\r\n",
		"line of 5,000":      smallHeader + strings.Repeat("x", 5000) + "\r\n",
		"line of 200,000":    smallHeader + strings.Repeat("x", 200_000) + "\r\n",
		"dots":               smallHeader + ".\r\n..\r\n...\r\n.x\r\nx.\r\n. \r\n",
		"dots at the edges":  "." + strings.Repeat("x", readBuffer-3) + "\r\n." + strings.Repeat("y", readBuffer) + "\r\n.\r\n",
		"large":              smallHeader + strings.Repeat("0123456789\r\n.123\r\n", 20_000),
	} {
		t.Run(name, func(t *testing.T) {
			hop := newSink(t)
			s := start(t, Options{NextHop: NextHop{Address: hop.address()}})
			c := s.dial()
			c.data()
			wire := strings.ReplaceAll("\r\n"+content, "\r\n.", "\r\n..")[2:]
			if content != "" && !strings.HasSuffix(content, "\r\n") {
				wire += "\r\n"
				content += "\r\n"
			}
			c.send(wire + ".\r\n")
			c.want("250 2.0.0 Ok: queued")
			d := hop.one()
			if name == "continuation first" {
				// It continues our field; no byte is lost.
				if !strings.HasSuffix(d.content, wire) {
					t.Errorf("got %q", d.content)
				}
				return
			}
			if got := d.message(t); got != content {
				t.Errorf("got %d bytes, want %d", len(got), len(content))
			}
		})
	}
}

// TestBrokenCommands: a command line that servers read differently ends the connection.
func TestBrokenCommands(t *testing.T) {
	for name, line := range map[string]string{
		"LF alone":    "NOOP\nNOOP\r\n",
		"CR alone":    "NOOP\rNOOP\r\n",
		"NUL":         "NOOP\x00\r\n",
		"too long":    "NOOP " + strings.Repeat("x", maxCommand) + "\r\nNOOP\r\n",
		"far too":     "NOOP " + strings.Repeat("x", 10*readBuffer),
		"no line end": strings.Repeat("x", readBuffer),
	} {
		t.Run(name, func(t *testing.T) {
			hop := newSink(t)
			c := start(t, Options{NextHop: NextHop{Address: hop.address()}}).dial()
			c.send(line)
			c.want("500 5.5.2")
			if rest := c.reply(); rest != "" {
				t.Errorf("after it: %q", rest)
			}
		})
	}
}
