package adminpage

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"sync"
	"time"

	"github.com/linkmilter/linkmilter/internal/history"
	"github.com/linkmilter/linkmilter/internal/printable"
)

//go:embed templates
var files embed.FS

// templates parses the templates when the first page is asked for: most commands show none.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"number":     printable.Number,
		"at":         func(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") },
		"codePoints": codePointsOf,
		"bounded":    history.Bounded,
		"inc":        func(i int) int { return i + 1 },
	}).ParseFS(files, "templates/*.html"))
})

// A frame is what every page has.
type frame struct{ Title, Version, Node string }

func (p *Page) frame(title string) frame { return frame{title, p.options.Version, p.options.Node} }

// render writes a page, or an error in its place.
func (p *Page) render(w http.ResponseWriter, name string, data any) {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		http.Error(w, fmt.Sprintf("page %s: %v", name, err), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(b.Bytes()) // the client is gone otherwise
}

func (p *Page) serveStyle(w http.ResponseWriter, r *http.Request) {
	http.ServeFileFS(w, r, files, "templates/style.css")
}
