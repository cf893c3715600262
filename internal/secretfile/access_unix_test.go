//go:build unix

package secretfile

import (
	"io/fs"
	"strings"
	"testing"
)

// TestJudgeAccess: a key that a group may read is accepted for members of that group and for root.
func TestJudgeAccess(t *testing.T) {
	const service, other = 1000, 2000
	tests := []struct {
		mode        fs.FileMode
		group, user int
		want        string
	}{
		{0o600, other, service, ""},
		{0o640, service, service, ""},
		{0o440, 0, service, ""},
		{0o640, other, 0, ""},
		{0o640, other, service, "its group may read it, and linkmilter is not a member"},
		{0o660, service, service, "its group may change it (mode 0660)"},
		{0o660, other, 0, "its group may change it (mode 0660)"},
		{0o644, service, 0, "every user may read or change it (mode 0644)"},
		{0o602, service, service, "every user may read or change it (mode 0602)"},
	}
	for _, tt := range tests {
		advice, err := judgeAccess(tt.mode, tt.group, tt.user, []int{service, 0})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != tt.want || (err != nil) != strings.HasPrefix(advice, "Let only its owner read it") {
			t.Errorf("mode %04o, group %d, user %d: %v, %q", tt.mode, tt.group, tt.user, err, advice)
		}
	}
}
