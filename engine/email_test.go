package engine

import (
	"strings"
	"testing"
)

// TestFormatAddress: FormatAddress quotes a local-part only if it must (UTS #58 §5.3).
func TestFormatAddress(t *testing.T) {
	tests := []struct{ name, local, domain, want string }{
		{"nothing to quote", "john.doe", "example.com", "john.doe@example.com"},
		{"all unquoted ASCII", "!#$%&'*+-/=?^_`{|}~0Az", "example.com", "!#$%&'*+-/=?^_`{|}~0Az@example.com"},
		{"internationalised", "σωκράτης", "example.com", "σωκράτης@example.com"},
		{"A-labels", "info", "xn--mnchen-3ya.de", "info@münchen.de"},
		{"space", "john doe", "example.com", `"john doe"@example.com`},
		{"quotation mark and backslash", `a"b\c`, "example.com", `"a\"b\\c"@example.com`},
		{"at sign", "a@b", "example.com", `"a@b"@example.com`},
		{"dot first", ".a", "example.com", `".a"@example.com`},
		{"dot last", "a.", "example.com", `"a."@example.com`},
		{"two dots", "a..b", "example.com", `"a..b"@example.com`},
		{"emoji, which is not Link_Email", "😀", "example.com", `"😀"@example.com`},
		{"katakana middle dot", "アルベルト・アインシュタイン", "example.com", "アルベルト・アインシュタイン@example.com"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			needTables(t)
			got, err := FormatAddress(tt.local, tt.domain)
			if err != nil || got != tt.want {
				t.Errorf("FormatAddress(%q, %q) = %q, %v; want %q", tt.local, tt.domain, got, err, tt.want)
			}
		})
	}
	for _, tt := range []struct{ name, local, domain string }{
		{"empty local-part", "", "example.com"},
		{"long local-part", strings.Repeat("a", 65), "example.com"},
		{"local-part that is not UTF-8", "\xff", "example.com"},
		{"line end", "a\nb", "example.com"},
		{"empty domain", "a", ""},
		{"invalid domain", "a", "b..c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := FormatAddress(tt.local, tt.domain); err == nil {
				t.Errorf("FormatAddress(%q, %q) = %q", tt.local, tt.domain, got)
			}
		})
	}
}

// TestReadableAddress: the readable form of a mailto: URL keeps the escapes that the address needs.
func TestReadableAddress(t *testing.T) {
	tests := []struct{ name, link, want string }{
		{"escapes mean nothing outside mailto:", "a%41@xn--mnchen-3ya.de", "a%41@münchen.de"},
		{"unreserved ASCII", "mailto:%61b@example.com", "mailto:ab@example.com"},
		{"internationalised", "mailto:%CE%B4%CE%BF@example.com", "mailto:δο@example.com"},
		{"what has to be quoted", "mailto:a%20%CE%B4@example.com", "mailto:a%20%CE%B4@example.com"},
		{"dot that would be last", "mailto:%CE%B4%2E@example.com", "mailto:%CE%B4%2E@example.com"},
		{"ampersand", "mailto:a%26%CE%B4@example.com", "mailto:a%26%CE%B4@example.com"},
		{"not UTF-8", "mailto:%E9@example.com", "mailto:%E9@example.com"},
		{"invisible", "mailto:%CE%B4%E2%80%8B@example.com", "mailto:%CE%B4%E2%80%8B@example.com"},
		{"not normalised", "mailto:e%CC%81@example.com", "mailto:e%CC%81@example.com"},
		{"double-escaped", "mailto:%%34%31@example.com", "mailto:%%34%31@example.com"},
		{"fields", "mailto:a@example.com?subject=%C3%BC%20%26&body=%0D%0A", "mailto:a@example.com?subject=ü%20%26&body=%0D%0A"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			needTables(t)
			l, err := ParseLink(tt.link)
			if err != nil {
				t.Fatal(err)
			}
			if got := l.Readable(HostUnicode); got != tt.want {
				t.Errorf("Readable(%q) = %q, want %q", tt.link, got, tt.want)
			}
		})
	}
}
