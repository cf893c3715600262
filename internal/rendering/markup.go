package rendering

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// note writes a line in which linkmilter itself says something.
func (v *viewer) note(text string) {
	v.out.WriteString(`<p class="note">` + html.EscapeString(text) + "</p>")
}

// text writes a text.
func (v *viewer) text(text string) {
	// With the attribute wrap, browsers wrap its lines even without a style sheet (HTML §15.3.3).
	v.out.WriteString(`<pre wrap dir="auto">` + html.EscapeString(text) + "</pre>")
}

// html writes an HTML document, with only those elements and attributes that just show something.
func (v *viewer) html(document string) {
	root, err := html.Parse(strings.NewReader(document))
	if err != nil {
		v.note("The HTML cannot be read: " + err.Error())
		return
	}
	v.clean(root)
	v.out.WriteString(`<div dir="auto">`)
	for node := range root.Descendants() {
		if node.Type == html.ElementNode && (node.DataAtom == atom.Body || node.DataAtom == atom.Style && inHead(node)) {
			renderInto(v, node)
		}
	}
	v.out.WriteString("</div>")
}

func inHead(node *html.Node) bool { return node.Parent != nil && node.Parent.DataAtom == atom.Head }

// renderInto writes a style sheet, or the contents of the body, in an element that has the
// attributes of the body.
func renderInto(v *viewer, node *html.Node) {
	if node.DataAtom == atom.Body {
		node.Data, node.DataAtom = "div", atom.Div
	}
	// The buffer does not fail, and the tree is one that the parser made.
	_ = html.Render(&v.out, node)
}

// dropped are elements that do more than show something. They are removed with their content.
var dropped = map[atom.Atom]bool{
	atom.Script: true, atom.Noscript: true, atom.Template: true, atom.Iframe: true, atom.Frame: true, atom.Frameset: true, atom.Noframes: true,
	atom.Object: true, atom.Embed: true, atom.Applet: true, atom.Link: true, atom.Meta: true, atom.Base: true, atom.Title: true,
	atom.Audio: true, atom.Video: true, atom.Source: true, atom.Track: true, atom.Svg: true, atom.Math: true, atom.Plaintext: true, atom.Noembed: true, atom.Xmp: true,
}

// keptAttributes are attributes that only change how an element looks.
var keptAttributes = map[string]bool{
	"align": true, "alt": true, "bgcolor": true, "border": true, "cellpadding": true, "cellspacing": true, "class": true, "color": true, "colspan": true,
	"dir": true, "face": true, "height": true, "hidden": true, "lang": true, "reversed": true, "rowspan": true, "size": true, "start": true, "style": true, "title": true, "valign": true, "width": true, "wrap": true,
}

// clean removes elements and attributes that do more than show something.
func (v *viewer) clean(node *html.Node) {
	for child := node.FirstChild; child != nil; {
		next := child.NextSibling
		if child.Type == html.CommentNode || child.Type == html.ElementNode && !v.shows(child) {
			node.RemoveChild(child)
		} else {
			v.cleanAttributes(child)
			v.clean(child)
		}
		child = next
	}
}

// shows reports whether an element only shows what it holds. Unknown elements do.
func (v *viewer) shows(node *html.Node) bool {
	if node.DataAtom == atom.Style {
		return !v.plain && node.FirstChild != nil && harmless(node.FirstChild.Data)
	}
	return !dropped[node.DataAtom] && node.Namespace == ""
}

// cleanAttributes keeps attributes that change how an element looks, and images inside the message.
// It writes the target of a link as text.
func (v *viewer) cleanAttributes(node *html.Node) {
	var kept []html.Attribute
	for _, a := range node.Attr {
		switch {
		case a.Namespace != "", a.Key == "style" && (v.plain || !harmless(a.Val)):
		case keptAttributes[a.Key]:
			kept = append(kept, a)
		case a.Key == "href" && (node.DataAtom == atom.A || node.DataAtom == atom.Area):
			kept = append(kept, html.Attribute{Key: "title", Val: a.Val}, html.Attribute{Key: "class", Val: "link"})
		case a.Key == "src" && !v.plain && node.DataAtom == atom.Img && strings.HasPrefix(a.Val, "data:image/"):
			kept = append(kept, a)
		}
	}
	node.Attr = kept
}

// harmless reports whether a style sheet cannot load anything. A sheet with escapes counts as
// harmful, because they could hide a URL.
func harmless(sheet string) bool {
	lower := strings.ToLower(sheet)
	for _, loads := range []string{`\`, "url(", "image(", "image-set(", "@import", "src("} {
		if strings.Contains(lower, loads) {
			return false
		}
	}
	return true
}
