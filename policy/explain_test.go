package policy_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

func TestExplain(t *testing.T) {
	latin, cyrillic := ucd.ScriptLatn, ucd.ScriptCyrl
	tests := []struct {
		name, link string
		want       []policy.Label
	}{
		{"mixed scripts, as A-label", "http://xn--pypal-4ve.com/", []policy.Label{
			{
				Unicode: "pаypal", ASCII: "xn--pypal-4ve", Scripts: []ucd.Script{cyrillic, latin},
				Level:      uts39.MinimallyRestrictive,
				Characters: []policy.Character{{Rune: 'а', Script: cyrillic, Allowed: true, LooksLike: "a"}},
			},
			{Unicode: "com", ASCII: "com", Scripts: []ucd.Script{latin}, Level: uts39.ASCIIOnly},
		}},
		{"a restricted character", "i❤u.ws", []policy.Label{
			{
				Unicode: "i❤u", ASCII: "xn--iu-ony", Scripts: []ucd.Script{latin}, Level: uts39.Unrestricted,
				Characters: []policy.Character{{Rune: '❤', Script: ucd.ScriptZyyy}},
			},
			{Unicode: "ws", ASCII: "ws", Scripts: []ucd.Script{latin}, Level: uts39.ASCIIOnly},
		}},
		{"an address in place of a name", "http://192.0.2.1/", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, policy.Explain(parse(t, tt.link))); diff != "" {
				t.Error(diff)
			}
		})
	}
}
