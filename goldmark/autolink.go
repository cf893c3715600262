// Package autolink is an extension of goldmark that makes links of URLs and e-mail
// addresses in Markdown, in every script, as UTS #58 says.
//
// Use it in place of goldmark's extension.Linkify. If you use extension.GFM, use its other
// parts instead: Table, Strikethrough and TaskList.
//
// A link ends where package engine ends it, with three exceptions because of Markdown: marks of
// emphasis and references to entities at the end of a word are not part of a link, and "<" ends it.
package autolink

import (
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/linkmilter/linkmilter/engine"
)

// An Extension makes links of URLs and addresses in the text of a document. The zero
// value can be used: goldmark.WithExtensions(new(autolink.Extension)).
//
// A link is an ast.AutoLink. One whose host is not ASCII is an ast.Link with the
// destination of [engine.Link.Href], since not all programs open such a host. An IPv6
// address in a URL stays text: goldmark would escape its brackets.
type Extension struct {
	// Scanner finds the links; nil means the zero Scanner.
	Scanner *engine.Scanner
}

// priority is the priority of extension.Linkify: lower than that of all syntax of Markdown itself.
const priority = 999

// Extend adds the extension to a converter.
func (e *Extension) Extend(m goldmark.Markdown) {
	p := linkParser{e.Scanner}
	if p.scanner == nil {
		p.scanner = new(engine.Scanner)
	}
	m.Parser().AddOptions(parser.WithInlineParsers(util.Prioritized(p, priority)))
}

// A linkParser makes nodes of links.
type linkParser struct{ scanner *engine.Scanner }

// Trigger returns the characters before which goldmark asks for a node: white space, the
// beginning of a text, and punctuation.
func (p linkParser) Trigger() []byte {
	triggers := []byte{' '}
	for c := byte('!'); c < 0x7f; c++ {
		if util.IsPunct(c) {
			triggers = append(triggers, c)
		}
	}
	return triggers
}

// Parse returns the link that begins here, or later among the letters before the next character
// that Trigger returns. These letters, and the character here, become text of parent.
func (p linkParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	_, segment := block.PeekLine()
	if segment.Padding > 0 || pc.IsInLinkLabel() {
		return nil
	}
	source := block.Source()
	l, ok := p.line(source, segment, pc).from(segment.Start)
	if !ok || !isReached(source[segment.Start:l.Start+1]) {
		return nil
	}
	if l.Start > segment.Start {
		ast.MergeOrAppendTextSegment(parent, text.NewSegment(segment.Start, l.Start))
	}
	block.Advance(l.End - segment.Start)
	return newNode(l)
}

// isReached reports whether goldmark asks for no node between the first byte of a text and
// its last one, at which a link begins.
func isReached(before []byte) bool {
	last := len(before) - 1
	for i := 1; i < last; i++ {
		if util.IsPunct(before[i]) || util.IsSpace(before[i]) {
			return false
		}
	}
	return last == 0 || !util.IsPunct(before[last])
}

// newNode returns the node of a link, with offsets into the source.
func newNode(l engine.Link) ast.Node {
	value := ast.NewTextSegment(text.NewSegment(l.Start, l.End))
	c := l.Components()
	if !isASCII(c.Host) {
		link := ast.NewLink()
		link.Destination = []byte(l.Href())
		link.AppendChild(link, value)
		return link
	}
	if l.Kind == engine.KindEmail {
		return ast.NewAutoLink(ast.AutoLinkEmail, value)
	}
	link := ast.NewAutoLink(ast.AutoLinkURL, value)
	if c.Scheme == "" {
		link.Protocol = []byte("http")
	}
	return link
}

// isASCII reports whether a host is ASCII.
func isASCII(host string) bool {
	for i := range len(host) {
		if host[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
