package main

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"mvdan.cc/xurls/v2"

	"github.com/linkmilter/linkmilter/engine"
)

// A detector counts the links in a message.
type detector struct {
	name  string
	count func(message string) int
}

// limitName is the detector that the others are compared with.
const limitName = "three IndexByte loops"

// detectors returns what is measured, the limits first.
func detectors() ([]detector, error) {
	list := []detector{
		{limitName, indexBytes},
		{"rune decoding loop", decodeRunes},
	}
	for _, e := range []struct {
		name string
		opts engine.Options
	}{
		{"linkmilter", engine.Options{}},
		{"linkmilter, strict", engine.Options{Strict: true}},
		{"linkmilter, with suspects", engine.Options{Suspects: true}},
	} {
		s, err := engine.New(e.opts)
		if err != nil {
			return nil, err
		}
		var links []engine.Link
		list = append(list, detector{e.name, func(message string) int {
			links = s.Append(links[:0], message)
			return len(links)
		}})
	}
	return append(list,
		detector{"goldmark linkify", markdown()},
		detector{"xurls strict", expression(xurls.Strict())},
		detector{"xurls relaxed", expression(xurls.Relaxed())},
	), nil
}

// indexBytes looks for the three bytes one of which every link has. It finds no links: it measures
// the least that skipping from one such byte to the next costs.
func indexBytes(message string) int {
	for _, c := range []byte(".:@") {
		for rest := message; ; {
			i := strings.IndexByte(rest, c)
			if i < 0 {
				break
			}
			rest = rest[i+1:]
		}
	}
	return 0
}

// decodeRunes looks at every code point, as a scanner does that knows no
// short cuts. It finds nothing.
func decodeRunes(message string) int {
	triggers := 0
	for i := 0; i < len(message); {
		r, size := utf8.DecodeRuneInString(message[i:])
		if r == '.' || r == ':' || r == '@' {
			triggers++
		}
		i += size
	}
	return min(triggers, 0)
}

// expression counts the matches of a regular expression.
func expression(e *regexp.Regexp) func(string) int {
	return func(message string) int { return len(e.FindAllStringIndex(message, -1)) }
}

// markdown counts the autolinks in a message as goldmark reads it. That is
// more than finding links: the whole message is parsed as Markdown.
func markdown() func(string) int {
	p := goldmark.New(goldmark.WithExtensions(extension.Linkify)).Parser()
	return func(message string) int {
		links := 0
		// The walk only fails if its function does.
		_ = ast.Walk(p.Parse(text.NewReader([]byte(message))), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering && n.Kind() == ast.KindAutoLink {
				links++
			}
			return ast.WalkContinue, nil
		})
		return links
	}
}
