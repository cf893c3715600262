package config

import (
	"reflect"
	"strings"
)

// A Table describes a table of the file to people.
type Table struct {
	Header string // as the file writes it: [milter], [[rule]]; "" for keys above all tables
	Help   string // one or two sentences
	Keys   []Key
}

// A Key describes one key of a table to people.
type Key struct {
	Name    string // with a dot if it is in an inline table: when.client
	Value   string // the values that it takes: "size", "never, needed or always"
	Default string // as the file writes it; "" if the key is not set
	Help    string
}

// Tables describes all keys of the file, in the order of the example file. The defaults
// of arrays of tables are those of an empty element.
func Tables() []Table {
	var top Table
	var tables []Table
	defaults := reflect.ValueOf(Default())
	for _, k := range keysOf(defaults.Type()) {
		value := defaults.Field(k.index)
		switch {
		case isTable(k.typ):
			tables = append(tables, Table{"[" + k.name + "]", k.help, keysIn("", value)})
			for _, below := range keysOf(k.typ) {
				if isTables(below.typ) {
					tables = append(tables, arrayOf(k.name+"."+below.name, below))
				}
			}
		case isTables(k.typ):
			tables = append(tables, arrayOf(k.name, k))
		default:
			top.Keys = append(top.Keys, keyOf("", k, value))
		}
	}
	if len(top.Keys) > 0 {
		tables = append([]Table{top}, tables...)
	}
	return tables
}

func arrayOf(name string, k key) Table {
	return Table{"[[" + name + "]]", k.help, keysIn("", empty(k.typ.Elem()))}
}

// keysIn describes the keys of a table with its defaults, and of the inline tables in it.
func keysIn(prefix string, table reflect.Value) []Key {
	var keys []Key
	for _, k := range keysOf(table.Type()) {
		value := table.Field(k.index)
		switch {
		case isTables(k.typ):
		case isTable(k.typ):
			keys = append(keys, keysIn(prefix+k.name+".", value)...)
		default:
			keys = append(keys, keyOf(prefix, k, value))
		}
	}
	return keys
}

func keyOf(prefix string, k key, value reflect.Value) Key {
	text := ""
	if mark(value) == "" {
		text = strings.TrimPrefix(literal(k, value), `""`)
	}
	return Key{Name: prefix + k.name, Value: k.kind().name, Default: text, Help: k.help}
}
