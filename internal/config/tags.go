package config

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A key is one key of a table, as the struct of the table defines it: see [File].
type key struct {
	index    int // of the field in its struct
	name     string
	help     string
	fallback string   // the default as text, or empty
	check    string   // name of a check, or empty
	choice   []string // the words for its values, if the type has no names for them
	typ      reflect.Type
}

// of returns the same key with another type, such as that of the elements of its list.
func (k key) of(t reflect.Type) key {
	k.typ = t
	return k
}

// keysOf returns the keys of the table that a struct type defines, in order.
func keysOf(table reflect.Type) []key {
	list := make([]key, 0, table.NumField())
	for i := range table.NumField() {
		f := table.Field(i)
		if !f.IsExported() {
			continue
		}
		list = append(list, key{
			index: i, name: f.Tag.Get("toml"), help: f.Tag.Get("help"),
			fallback: f.Tag.Get("default"), check: f.Tag.Get("check"), typ: f.Type,
			choice: slices.Collect(strings.FieldsSeq(f.Tag.Get("choice"))),
		})
	}
	return list
}

// isTable reports whether a type is that of a table with keys.
func isTable(t reflect.Type) bool { return t.Kind() == reflect.Struct && !writesText(t) }

// writesText reports whether a type other than string says itself how text becomes a value.
func writesText(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// isTables reports whether a type is that of an array of tables.
func isTables(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && isTable(t.Elem())
}

// unknownKey returns the text for a key that a table does not have, with the most
// similar key.
func unknownKey(name string, table []key) string {
	if places := placesOf(name); len(places) > 0 {
		if slices.Contains(places, name) {
			return fmt.Sprintf("unknown key in this table (want %s above the first table)", name)
		}
		return fmt.Sprintf("unknown key in this table (did you mean %s?)", list(places, "or"))
	}
	names := make([]string, len(table))
	for i, k := range table {
		names[i] = k.name
	}
	if near := nearest(name, names); near != "" {
		return fmt.Sprintf("unknown key (did you mean %s?)", near)
	}
	return fmt.Sprintf("unknown key (want %s)", list(names, "or"))
}

// placesOf returns the paths of all keys called name, such as rule.when.client.
func placesOf(name string) []string {
	var places []string
	walk("", reflect.TypeFor[File](), func(path string, k key) {
		if k.name == name && !isTable(k.typ) && !isTables(k.typ) {
			places = append(places, path)
		}
	})
	return places
}

// walk calls visit for the keys of a table and of those below it.
func walk(path string, table reflect.Type, visit func(path string, k key)) {
	for _, k := range keysOf(table) {
		at := join(path, k.name)
		visit(at, k)
		switch {
		case isTable(k.typ):
			walk(at, k.typ, visit)
		case isTables(k.typ):
			walk(at, k.typ.Elem(), visit)
		}
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// element returns the path of element i of a list.
func element(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
