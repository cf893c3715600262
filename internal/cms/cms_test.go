package cms

import "testing"

// TestContent: the content of signed data in DER, and of data in pieces of BER. Encrypted data have
// none.
func TestContent(t *testing.T) {
	const (
		data   = "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01"
		signed = "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
	)
	for ber, want := range map[string]string{
		"": "",
		"\x30\x1e" + signed + "\xa0\x0f\x30\x0d" + data:                                                                                           "",
		"\x30\x25" + signed + "\xa0\x16\x30\x14" + data + "\xa0\x07\x04\x05hello\x31\x00":                                                         "hello",
		"\x30\x80" + signed + "\xa0\x80\x30\x80" + data + "\xa0\x80\x24\x80\x04\x82\x00\x02he\x04\x03llo\x00\x00\x00\x00\x00\x00\x31\x02\x04\x00": "hello",
		"\x30\x80" + data + "\xa0\x80\x04\x7fcut off":                                                                                             "cut off",
		"\x30\x80" + data + "\x30\x04\x06\x00\x04\x00\xa0\x80\x04\x01x":                                                                           "",
		"\x30\x80" + data + "\xa0\x85\x01\x01\x01\x01\x01\x04\x01x":                                                                               "",
	} {
		content, ok := Content([]byte(ber), 1<<10)
		if string(content) != want || ok != (want != "") {
			t.Errorf("%q: %q, %t; want %q", ber, content, ok, want)
		}
	}
}
