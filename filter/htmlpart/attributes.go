package htmlpart

import (
	"cmp"
	"strings"
)

// attributes are the decoded attributes of an element that linkmilter reads.
type attributes struct {
	href, action, formaction string
	prefixed                 string   // href with a prefix, the last one
	morePrefixed             []string // those before
	src, data, srcdoc        string
	httpEquiv, content       string
	attributeName            string // of an animation in SVG
	to, from, by, values     string
	style, class, id         string
	color, background        string
	linkColor                string // of the links of a body
	face                     string // the font
	title, ariaLabel, alt    string
	labelledBy               string // ids
	text                     string // of a path in VML
	typ, value, form, forID  string
	start                    string // of the numbers of a list
	dir, rel                 string
	xmlBase, placeholder     string
	leftQuote, rightQuote    string // around a text in MathML
	presented                string // style of an element of SVG or MathML, as declarations
	scripts                  string
	picture                  string // of a video, of the sources of a picture, or behind a text
	usemap                   bool   // the picture is a map of links
	backward                 bool   // a list of places shows the letters of a text in SVG in another order
	hidden, open, hasHref    bool
	atSide                   bool              // a picture or table is at a side of the text beside it
	clicked                  bool              // a script runs when a reader clicks on the element
	shadow                   bool              // the element is a template whose content is shown in place of its parent's
	itemprop                 bool              // the element is a property of an action (schema.org)
	cut                      bool              // there are more scripts than are read
	amp                      bool              // the element is one of AMP, any attribute of which may be a URL
	names                    []string          // of all attributes, where the style sheets ask for them
	shown                    map[string]string // values that the style sheets show, by name
	holds                    uint64            // bits of the conditions of the style sheets that hold, in a reference
}

// noAttributes are those of a tag without any.
var noAttributes attributes

// isPlain reports whether the attributes do not say by themselves how the element shows its text.
func (a *attributes) isPlain() bool {
	return a == &noAttributes || a.style == "" && a.color == "" && a.background == "" && a.dir == "" && a.title == "" && !a.hidden
}

// set notes an attribute. Its name is in lower case; one with a prefix counts as
// href whatever the prefix is bound to.
func (a *attributes) set(name, value string) {
	if a.amp {
		if strings.HasPrefix(value, "//") {
			a.addScript("https:" + value)
		}
		a.addScript(value)
	}
	switch name {
	case "width", "height", "valign", "border", "cellpadding", "cellspacing", "target": // mail has them most
	case "href":
		a.href, a.hasHref = value, true
	case "style":
		a.style = value
	case "class":
		a.class = value
	case "id":
		a.id = value
	case "src":
		a.src = value
	case "alt":
		a.alt = value
	case "title":
		a.title = value
	case "color":
		a.color = value
	case "bgcolor":
		a.background = value
	case "face":
		a.face = value
	case "align":
		a.atSide = strings.EqualFold(value, "left") || strings.EqualFold(value, "right")
	case "dir":
		a.dir = value
	case "rel":
		a.rel = value
	case "type":
		a.typ = value
	case "value":
		a.value = value
	case "content":
		a.content = value
	case "http-equiv":
		a.httpEquiv = value
	default:
		a.setRare(name, value)
	}
}

// setRare notes an attribute that few elements have.
func (a *attributes) setRare(name, value string) {
	switch name {
	case "lquote":
		a.leftQuote = value
	case "rquote":
		a.rightQuote = value
	case "start":
		a.start = value
	case "shadowrootmode":
		a.shadow = true
	case "action":
		a.action = value
	case "action-xhr": // of a form in AMP
		a.action = cmp.Or(a.action, value)
		a.setPrefixed(name, value)
	case "formaction":
		a.formaction = value
	case "data":
		a.data = value
	case "poster", "srcset", "background":
		a.picture = value
	case "srcdoc":
		a.srcdoc = value
	case "attributename":
		a.attributeName = value
	case "to":
		a.to = value
	case "from":
		a.from = value
	case "by":
		a.by = value
	case "values":
		a.values = value
	case "string":
		a.text = value
	case "link", "vlink":
		if a.linkColor == "" || mayMatch(value, "") {
			a.linkColor = value
		}
	case "placeholder":
		a.placeholder = value
	case "form":
		a.form = value
	case "for":
		a.forID = value
	case "aria-label", "aria-description", "aria-placeholder", "aria-roledescription", "aria-valuetext", "aria-braillelabel",
		"label", "abbr", "alttext", "standby", "summary", "[text]", "data-amp-bind-text":
		a.ariaLabel = strings.TrimSpace(a.ariaLabel + " " + value)
	case "aria-labelledby", "aria-describedby":
		a.labelledBy += " " + value
	case "hidden", "popover":
		a.hidden = true
	case "open":
		a.open = true
	case "usemap":
		a.usemap = true
	case "itemprop":
		a.itemprop = true
	default:
		a.present(name, value)
		a.setPrefixed(name, value)
	}
}

// present notes an attribute that is a property of the style of an element of SVG or MathML.
func (a *attributes) present(name, value string) {
	switch name {
	case "display", "visibility", "opacity", "fill", "fill-opacity", "font", "font-size", "font-family", "letter-spacing",
		"clip-path", "mask", "filter", "transform", "direction", "unicode-bidi", "x", "y", "dx", "dy":
	case "mathcolor":
		name = "color"
	case "mathsize":
		name = "font-size"
	case "mathbackground":
		name = "background"
	default:
		return
	}
	a.backward = a.backward || (name == "x" || name == "dx") && goesBack(value, name == "dx")
	if value = trim(value); len(a.presented) < maxAllPresented {
		a.presented += name + ":" + value[:min(len(value), maxPresented)] + ";"
	}
}

const (
	// maxPresented is the number of bytes of a presentation attribute that are read, and
	// maxAllPresented that of all of them.
	maxPresented    = 64
	maxAllPresented = 512
)

// maxScripts bounds the bytes of the scripts of an element that are read.
const maxScripts = 64 << 10

func (a *attributes) addScript(value string) {
	if len(a.scripts) >= maxScripts {
		a.cut = true
	} else if a.scripts == "" && len(value) <= maxScriptURL {
		a.scripts = value
	} else if len(value) <= maxScriptURL {
		a.scripts += " " + value
	}
}

// readScripts adds the values that programs read beside scripts: those of a property that is
// not shown.
func (a *attributes) readScripts() string {
	if !a.itemprop || a.content == "" && a.value == "" {
		return a.scripts
	}
	return a.scripts + " " + a.content + " " + a.value
}

// setPrefixed notes an attribute with a prefix, as in XML, or one with a script.
func (a *attributes) setPrefixed(name, value string) {
	if isScript(name) && !a.amp {
		a.addScript(value)
		a.clicked = a.clicked || isClick(name)
	}
	i := strings.LastIndexByte(name, ':')
	if i < 0 {
		return
	}
	switch name[i+1:] {
	case "href", "dest": // of WordprocessingML
		if a.prefixed != "" {
			a.morePrefixed = append(a.morePrefixed, a.prefixed)
		}
		a.prefixed = value
		if !a.hasHref {
			a.href = value
		}
	case "src", "action", "formaction", "data", "srcdoc":
		a.set(name[i+1:], value)
	case "base":
		a.xmlBase = value
	case "title":
		a.title = value
	case "alt":
		a.alt = value
	}
}
