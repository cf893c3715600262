package htmledit_test

import (
	"testing"

	"github.com/linkmilter/linkmilter/internal/htmledit"
)

// TestTexts: texts are what is between tags, without scripts and styles, at their offsets.
func TestTexts(t *testing.T) {
	source := "x<html xml:lang=de><style>s</style><title>a&amp;b</title><p title='>'>c<br/>d<script>e</script>"
	got := ""
	for _, text := range htmledit.Texts(source, 1, len(source)) {
		got += source[text.Start:text.End] + "=" + text.Shown + " "
	}
	if want := "a&amp;b=a&b c=c d=d "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := htmledit.Language(source); got != "de" {
		t.Errorf("language %q", got)
	}
}

// TestInside: the texts of an element end at its end tag, even if another tag of that name is
// before it.
func TestInside(t *testing.T) {
	for source, want := range map[string]string{
		"<a href=u>b</a>c":             "b ",
		"<A>b<i>c</i>&lt;</a >d":       "b c &lt; ",
		"<a></a>":                      "",
		"<a><style>b</style>c</a>":     "c ",
		"<a>b<a>c</a>":                 "none",
		"<a>b":                         "none",
		"<a>b<!-- </a> --><b/>c</A>d":  "b c ",
		"<a title='</a>'>b</a\nx='>'>": "b ",
	} {
		tag, ok := htmledit.TagAt(source, 0)
		if !ok {
			t.Fatalf("%q has no tag", source)
		}
		got := "none"
		if texts, end, ok := tag.Inside(); ok {
			got = ""
			for _, text := range texts {
				got += source[text.Start:text.End] + " "
			}
			if source[end:end+2] != "</" {
				t.Errorf("%q: the end tag is at %q", source, source[end:])
			}
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", source, got, want)
		}
	}
}
