package linkify_test

import (
	"fmt"
	"html/template"
	"os"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/engine/linkify"
	"github.com/linkmilter/linkmilter/policy"
)

func ExampleLinkifier_WriteText() {
	l := linkify.Linkifier{Rel: "nofollow ugc"}
	err := l.WriteText(os.Stdout, "Tom & Ann: see example.com/größe, or <b>write</b> to ann@example.com.\n")
	fmt.Println(err)
	// Output:
	// Tom &amp; Ann: see <a href="http://example.com/gr%C3%B6%C3%9Fe" rel="nofollow ugc">example.com/größe</a>, or &lt;b&gt;write&lt;/b&gt; to <a href="mailto:ann@example.com" rel="nofollow ugc">ann@example.com</a>.
	// <nil>
}

// A template calls the linkifier as a function.
func ExampleLinkifier_HTML() {
	var l linkify.Linkifier
	t := template.Must(template.New("").Funcs(template.FuncMap{
		"linkify": func(text string) template.HTML { return template.HTML(l.HTML(text)) },
	}).Parse("<p>{{linkify .}}</p>\n"))
	if err := t.Execute(os.Stdout, "<i> example.com </i>"); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <p>&lt;i&gt; <a href="http://example.com/">example.com</a> &lt;/i&gt;</p>
}

// Links that package policy finds deceptive stay text. The others are shown in a form that people
// can read.
func Example_policy() {
	var judge policy.Judge
	l := linkify.Linkifier{
		Skip: func(link engine.Link) bool { return judge.Link(link).Worst() >= policy.SeverityMedium },
		Label: func(link engine.Link) string {
			if judge.Link(link).DisplayUnicode {
				return link.Readable(engine.HostUnicode)
			}
			return link.Readable(engine.HostASCII)
		},
	}
	fmt.Println(l.HTML("https://ja.wikipedia.org/wiki/%E6%97%A5%E6%9C%AC or https://www.pаypal.com/"))
	// Output:
	// <a href="https://ja.wikipedia.org/wiki/%E6%97%A5%E6%9C%AC">https://ja.wikipedia.org/wiki/日本</a> or https://www.pаypal.com/
}
