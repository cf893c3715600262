package config

import (
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// position is a place in a file, from 1.
type position struct{ line, column int }

// positions maps the path of each key and array element of a document to its place.
// A path is like rule[0].when.client[1].
type positions map[string]position

// find returns the place of a path, or of the closest table or array that contains
// it.
func (ps positions) find(path string) position {
	for path != "" {
		if p, ok := ps[path]; ok {
			return p
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return position{}
}

// below reports whether the document sets a key of a table.
func (ps positions) below(table string) bool {
	for path := range ps {
		if strings.HasPrefix(path, table+".") {
			return true
		}
	}
	return false
}

// locate finds the places of all keys of a document, which must be valid TOML. It
// reads the syntax tree, since the decoder reports places for errors only.
func locate(document []byte) positions {
	l := locator{document: document, places: make(positions), tables: make(map[string]int)}
	l.parser.Reset(document)
	for l.parser.NextExpression() {
		l.expression(l.parser.Expression())
	}
	return l.places
}

type locator struct {
	parser   unstable.Parser
	document []byte
	places   positions
	tables   map[string]int // number of elements so far of each array of tables
	table    string         // path of the current table
}

func (l *locator) expression(node *unstable.Node) {
	switch node.Kind {
	case unstable.Table:
		l.table = l.key("", node.Key())
	case unstable.ArrayTable:
		path := l.key("", node.Key())
		n := l.tables[path]
		l.tables[path] = n + 1
		l.table = fmt.Sprintf("%s[%d]", path, n)
		l.places[l.table] = l.at(node.Child().Raw.Offset)
	case unstable.KeyValue:
		l.keyValue(l.table, node)
	}
}

func (l *locator) keyValue(table string, node *unstable.Node) {
	path := l.key(table, node.Key())
	l.value(path, node.Value())
}

func (l *locator) value(path string, value *unstable.Node) {
	switch value.Kind {
	case unstable.Array:
		n := 0
		for it := value.Children(); it.Next(); n++ {
			element := fmt.Sprintf("%s[%d]", path, n)
			if raw := it.Node().Raw; raw.Length > 0 {
				l.places[element] = l.at(raw.Offset)
			}
			l.value(element, it.Node())
		}
	case unstable.InlineTable:
		for it := value.Children(); it.Next(); {
			l.keyValue(path, it.Node())
		}
	}
}

// key notes the places of a key below table, which may be dotted, and returns its
// path. A key within an array of tables belongs to its latest element.
func (l *locator) key(table string, key unstable.Iterator) string {
	path := table
	for key.Next() {
		if n := l.tables[path]; n > 0 && path != table {
			path = fmt.Sprintf("%s[%d]", path, n-1)
		}
		node := key.Node()
		path = join(path, string(node.Data))
		if _, known := l.places[path]; !known {
			l.places[path] = l.at(node.Raw.Offset)
		}
	}
	return path
}

func (l *locator) at(offset uint32) position {
	before := string(l.document[:min(int(offset), len(l.document))])
	start := strings.LastIndexByte(before, '\n') + 1
	return position{
		line:   strings.Count(before, "\n") + 1,
		column: len([]rune(before[start:])) + 1,
	}
}
