package mime

import "testing"

func TestErrorTexts(t *testing.T) {
	tests := []struct {
		err  error
		want string
	}{
		{&UnreadableError{Reason: ReasonUTF7}, "unreadable part: utf-7"},
		{&UnreadableError{Reason: ReasonUnknownCharset, detail: `"x-none"`}, `unreadable part: unknown-charset: "x-none"`},
		{&PlanError{Reason: ReasonNoBody}, "edit refused: no-body"},
	}
	for _, tt := range tests {
		if got := tt.err.Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
