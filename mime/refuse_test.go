package mime

import "testing"

func TestErrorTexts(t *testing.T) {
	tests := []struct {
		err  error
		want string
	}{
		{unreadable(reasonUTF7, ""), "unreadable part: utf-7"},
		{unreadable(reasonUnknownCharset, "%q", "x-none"), `unreadable part: unknown-charset: "x-none"`},
		{refused(reasonNoBody, ""), "edit refused: no-body"},
	}
	for _, tt := range tests {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
