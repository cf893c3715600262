package mime

import "testing"

func TestRelatedType(t *testing.T) {
	tests := []struct{ name, params, want string }{
		{"last", `; type="text/plain"`, `multipart/related; boundary=b; type="multipart/alternative"`},
		{"case", `; TYPE="Text/Plain"; x=y`, `multipart/related; boundary=b; TYPE="multipart/alternative"; x=y`},
		{"comments", `; (a "b") type = (c;) "text/plain" (d)`, `multipart/related; boundary=b; (a "b") type = (c;) "multipart/alternative" (d)`},
		{"folded", ";\n\ttype=\n \"text/plain\"", "multipart/related; boundary=b;\ttype= \"multipart/alternative\""},
		{"in another value", `; x="type=\"text/plain\""; type="text/plain"`, `multipart/related; boundary=b; x="type=\"text/plain\""; type="multipart/alternative"`},
		{"twice", `; type="text/plain"; type="text/plain"`, ""},
		{"quoted pair", `; type="text\/plain"`, ""},
		{"not quoted", `; type=text/plain`, ""},
		{"fold in the value", "; type=\"text/plain\n \"", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			raw := related(tt.params) + "--b\n\na\n--b--\n"
			if tt.want == "" {
				m := parse([]byte(raw), Limits{})
				if err := m.AddAlternative(&Plan{}, part(t, m, "1"), sourceOf("")); err == nil {
					t.Error("not refused")
				}
				return
			}
			m := parse([]byte(addAlternative(t, raw, "1", "<p>")), Limits{})
			if got := m.FieldValue(m.Root.Fields[0]); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
