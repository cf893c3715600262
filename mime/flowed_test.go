package mime

import "testing"

func TestUnflowed(t *testing.T) {
	tests := []struct {
		name, content string
		delSp         bool
		want          string
	}{
		{"empty", "", false, ""},
		{"fixed lines", "a\nb\n", false, "a\nb\n"},
		{"soft break", "a \nb\nc\n", false, "a b\nc\n"},
		{"soft break, CRLF", "a \r\nb\r\nc\r\n", false, "a b\r\nc\r\n"},
		{"two spaces", "a  \nb\n", false, "a  b\n"},
		{"DelSp", "例え \nば\n", true, "例えば\n"},
		{"DelSp keeps one of two spaces", "a  \nb\n", true, "a b\n"},
		{"no final line end", "a \nb", false, "a b"},
		{"soft break at the end", "a \n", false, "a \n"},
		{"soft break before an empty line", "a \n\nb\n", false, "a \nb\n"},
		{"empty lines", "\n\na\n", false, "\n\na\n"},
		{"stuffed", " From a\n  indented\n", false, "From a\n indented\n"},
		{"stuffed quote mark stays stuffed", " >no quote\n", false, " >no quote\n"},
		{"stuffed quote mark in a paragraph", "a \n >b\n", false, "a >b\n"},
		{"quote", "> a \n> b\n> c\n", false, "> a b\n> c\n"},
		{"quote without space", ">a \n>b\n", false, "> a b\n"},
		{"deeper quotes", ">> a \n>> b\n>c \n>d\n", false, ">> a b\n> c d\n"},
		{"spaces between quote marks are text", "> > a\n", false, "> > a\n"},
		{"depth changes", "> a \nb\n", false, "> a \nb\n"},
		{"empty quoted line", ">\n> \n>a\n", false, ">\n>\n> a\n"},
		{"signature", "a\n-- \nname \nfirm\n", false, "a\n-- \nname firm\n"},
		{"signature behind a soft break", "a \n-- \nname\n", false, "a \n-- \nname\n"},
		{"quoted signature", "> a \n> -- \n> b\n", false, "> a \n> -- \n> b\n"},
		{"signature with DelSp", "-- \nname\n", true, "-- \nname\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := leafText{content: tt.content, flowed: true, delSp: tt.delSp}
			if got := text.unflowed(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			text.flowed = false
			if got := text.unflowed(); got != tt.content {
				t.Errorf("not flowed: got %q", got)
			}
		})
	}
}
