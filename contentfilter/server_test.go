package contentfilter

import (
	"testing"
)

func TestMessageGoesThrough(t *testing.T) {
	hop := newSink(t, "8BITMIME", "SIZE 1000000", "ENHANCEDSTATUSCODES")
	s := start(t, Options{NextHop: NextHop{Address: hop.address()}})
	c := s.dial()
	c.data()
	text := "From: a@example.org\r\nTo: b@example.net\r\nSubject: x\r\n\r\nHello\r\n.dot\r\n..two\r\n"
	c.send("From: a@example.org\r\nTo: b@example.net\r\nSubject: x\r\n\r\nHello\r\n..dot\r\n...two\r\n.\r\n")
	if got := c.reply(); got != "250 2.0.0 Ok: queued as ABC\r\n" {
		t.Errorf("reply %q", got)
	}
	c.say("QUIT", "221")
	if got := hop.one().message(t); got != text {
		t.Errorf("got %q, want %q", got, text)
	}
}
