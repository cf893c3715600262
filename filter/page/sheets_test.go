package page_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/linkmilter/linkmilter/filter/page"
)

// TestSheetsFromMessageToMessage: what Read caches of a style sheet does not change the reading of
// another source.
func TestSheetsFromMessageToMessage(t *testing.T) {
	const number = "/*00000*/" // another number makes another sheet of the same length
	styles := []string{
		"<style>" + number + "</style>",
		"<style>" + number + ".x{display:none}</style>",
		"<style>" + number + "a::after{content:var(--x)}</style>",
		"<style><!--" + number + "a::after{content:'www.example.org'}--></style>",
		"<style>" + number + ".x{display:none}</style><style>" + number + "a{color:red}</style>",
		"<style>" + number + "@import url(data:text/css,.x{display:none})</style>",
		"<link rel=stylesheet href='data:text/css,.x{display:none}'><style>" + number + "a{color:red}</style>",
		"<style>" + number + "a{color:red}" + strings.Repeat(" ", 1<<20) + "</style>",
	}
	bodies := []string{
		`<a href=x.example class=x>text</a>`,
		`<a href=x.example style="--x:'www.example.net'">text</a>`,
		`<p style="--x:'www.example.com'">text <a href=x.example>here</a></p>`,
	}
	items := func(source string) (all []page.Item) {
		for item, err := range page.Read(t.Context(), source, 2<<20) {
			if err != nil {
				t.Error(err)
			}
			all = append(all, item)
		}
		return all
	}
	var readers sync.WaitGroup
	for i := range 40 {
		source := styles[i%len(styles)] + bodies[i%len(bodies)]
		readers.Go(func() {
			got := items(source)
			want := items(strings.ReplaceAll(source, number, fmt.Sprintf("/*%05d*/", i+1)))
			if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(page.Item{})); diff != "" {
				t.Errorf("%.200s: (-want +got):\n%s", source, diff)
			}
		})
	}
	readers.Wait()
}
