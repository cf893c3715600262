package htmlpart

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
)

// TestSheetsFromMessageToMessage: a source is read as if no other had the same style sheets.
func TestSheetsFromMessageToMessage(t *testing.T) {
	const number = "/*00000*/" // another one makes another sheet of the same length
	styles := []string{
		"<style>" + number + "</style>",
		"<style>" + number + ".x{display:none}</style>",
		"<style>" + number + "a::after{content:var(--x)}</style>",
		"<style>" + number + "a::after{content:var(\\2d-x)}</style>",
		"<style><!--" + number + "a::after{content:'www.example.org'}--></style>",
		"<style>" + number + ".x{display:none}</style><style>" + number + "a{color:red}</style>",
		"<style>" + number + ".x{display:none}</styl><style>" + number + "a{color:red}</style>",
		"<style>" + number + "@import url(data:text/css,.x{display:none})</style>",
		"<link rel=stylesheet href='data:text/css,.x{display:none}'><style>" + number + "a{color:red}</style>",
		"<style>" + number + "a{color:red}" + strings.Repeat(" ", maxSheet) + "</style>",
	}
	bodies := []string{
		`<a href=x.example class=x>text</a>`,
		`<a href=x.example style="--x:'www.example.net'">text</a>`,
		`<p style="--x:'www.example.com'">text <a href=x.example>here</a></p>`,
	}
	items := func(source string) (all []Item) {
		for item, err := range Read(t.Context(), source, 1<<20) {
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
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%.200s: got %+v, want %+v", source, got, want)
			}
		})
	}
	readers.Wait()
}

// TestSheetsCutShort: a sheet that is not read to its end is not remembered.
func TestSheetsCutShort(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	css := []string{"@import url(data:text/css,.short{display:none})"}
	cut := reader{ctx: ctx, known: new(known), spent: checkEvery}
	cut.rememberedSheet(css)
	whole := reader{ctx: t.Context(), known: new(known)}
	if s := whole.rememberedSheet(css); !s.classes["short"] {
		t.Errorf("the sheet has the classes %v", s.classes)
	}
}
