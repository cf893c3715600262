package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/internal/ucd"
	"github.com/linkmilter/linkmilter/policy/uts39"
)

func TestLabelsOf(t *testing.T) {
	latin, cyrillic := ucd.ScriptLatn, ucd.ScriptCyrl
	tests := []struct {
		name, link string
		want       []hostLabel
	}{
		{"mixed scripts, as A-label", "http://xn--pypal-4ve.com/", []hostLabel{
			{
				unicode: "pаypal", ascii: "xn--pypal-4ve", scripts: []ucd.Script{cyrillic, latin},
				level:      uts39.MinimallyRestrictive,
				characters: []character{{code: 'а', script: cyrillic, allowed: true, looksLike: "a"}},
			},
			{unicode: "com", ascii: "com", scripts: []ucd.Script{latin}, level: uts39.ASCIIOnly},
		}},
		{"a restricted character", "i❤u.ws", []hostLabel{
			{
				unicode: "i❤u", ascii: "xn--iu-ony", scripts: []ucd.Script{latin}, level: uts39.Unrestricted,
				characters: []character{{code: '❤', script: ucd.ScriptZyyy}},
			},
			{unicode: "ws", ascii: "ws", scripts: []ucd.Script{latin}, level: uts39.ASCIIOnly},
		}},
		{"an address in place of a name", "http://192.0.2.1/", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			link, err := engine.ParseLink(tt.link)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, labelsOf(link), cmp.AllowUnexported(hostLabel{}, character{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}
