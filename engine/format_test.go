package engine

import "testing"

// TestFormat: minimal forms of URL strings, beyond the official pairs.
func TestFormat(t *testing.T) {
	tests := []struct{ name, url, want, ascii string }{
		{"minimal already", "https://example.com/é?ü#ö", "https://example.com/é?ü#ö", "https://example.com/%C3%A9?%C3%BC#%C3%B6"},
		{"scheme and host", "HTTPS://XN--BCHER-KVA.de:443/%C3%A9", "https://bücher.de:443/é", "https://xn--bcher-kva.de/%C3%A9"},
		{"bare host", "xn--bcher-kva.de/%C3%A9", "bücher.de/é", "http://xn--bcher-kva.de/%C3%A9"},
		{"no slash is added", "https://example.com?%C3%A9", "https://example.com?é", "https://example.com/?%C3%A9"},
		{"empty query", "https://example.com/?", "https://example.com/?", "https://example.com/?"},
		{"empty port", `example.com:\\%C3%A9`, "example.com//é", "http://example.com//%C3%A9"},
		{"backslashes", `https:\\example.com\a\%C3%A9`, "https://example.com/a/é", "https://example.com/a/%C3%A9"},
		{"what a browser escapes in a path", "https://example.com/%22%3C%3E%5E%60%7B%7Da", `https://example.com/"<>^` + "`{}a", "https://example.com/%22%3C%3E%5E%60%7B%7Da"},
		{"what a browser escapes in a query", "https://example.com/?%22%27%5E%7Ba", `https://example.com/?"'%5E%7Ba`, "https://example.com/?%22%27%5E%7Ba"},
		{"what a browser escapes in a fragment", "https://example.com/#%22%60%27a", "https://example.com/#\"`%27a", "https://example.com/#%22%60%27a"},
		{"what it does not", "https://example.com/%28%29%2B%2C%3A%3B%3D%40%2F%3F%23%25a", "https://example.com/%28%29%2B%2C%3A%3B%3D%40%2F%3F%23%25a", "https://example.com/%28%29%2B%2C%3A%3B%3D%40%2F%3F%23%25a"},
		{"question mark in a query", "https://example.com/?a%3Fb?c", "https://example.com/?a%3Fb?c", "https://example.com/?a%3Fb?c"},
		{"unpaired bracket", "https://example.com/(a))", "https://example.com/(a)%29", "https://example.com/(a))"},
		{"space as typed", "https://example.com/a b", "https://example.com/a%20b", "https://example.com/a%20b"},
		{"legacy encoding", "https://example.com/é%E9", "https://example.com/%C3%A9%E9", "https://example.com/%C3%A9%E9"},
		{"Bidi control", "https://example.com/%E2%80%AEa\u202eb", "https://example.com/%E2%80%AEa%E2%80%AEb", "https://example.com/%E2%80%AEa%E2%80%AEb"},
		{"percent sign before decoded digits", "https://example.com/%%34%31", "https://example.com/%%341", "https://example.com/%%34%31"},
		{"mark of a directive", "https://example.com/#a:%7E:b", "https://example.com/#a:%7E:b", "https://example.com/#a:%7E:b"},
		{"user and password", "https://me:pässwort@example.com/", "https://me:pässwort@example.com/", "https://me:p%C3%A4sswort@example.com/"},
		{"IP address", "http://0x7f.1/%C3%A9", "http://0x7f.1/é", "http://127.0.0.1/%C3%A9"},
		{"mailto:", "mailto:%CE%B4@xn--bcher-kva.de", "mailto:δ@bücher.de", "mailto:%CE%B4@xn--bcher-kva.de"},
		{"address", "δ@bücher.de", "δ@bücher.de", "mailto:%CE%B4@xn--bcher-kva.de"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			needTables(t)
			if got, err := Format(tt.url); err != nil || got != tt.want {
				t.Errorf("Format(%q) = %q, %v; want %q", tt.url, got, err, tt.want)
			}
			if got, err := FormatASCII(tt.url); err != nil || got != tt.ascii {
				t.Errorf("FormatASCII(%q) = %q, %v; want %q", tt.url, got, err, tt.ascii)
			}
		})
	}
}
