package config

import (
	"encoding"
	"fmt"
	"reflect"
)

// field is one key of a table, as the struct for the table declares it with
// tags: `toml:"name" help:"one line"`.
type field struct {
	index int
	name  string
	help  string
	typ   reflect.Type
}

func fields(t reflect.Type) []field {
	list := make([]field, 0, t.NumField())
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() {
			list = append(list, field{index: i, name: f.Tag.Get("toml"), help: f.Tag.Get("help"), typ: f.Type})
		}
	}
	return list
}

// textUnmarshaler is the interface of types that implement UnmarshalText.
var textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()

// isTables reports whether values of a type are an array of tables.
func isTables(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct && !reflect.PointerTo(t.Elem()).Implements(textUnmarshaler)
}

// isTable reports whether a value is a table.
func isTable(value reflect.Value) bool {
	return value.Kind() == reflect.Struct && !reflect.PointerTo(value.Type()).Implements(textUnmarshaler)
}

// suggest names the known key that is closest to an unknown one, or all known keys if
// none is close.
func suggest(key string, known []field) string {
	best, distance := "", 3
	for _, f := range known {
		if d := editDistance(key, f.name); d < distance {
			best, distance = f.name, d
		}
	}
	if best != "" {
		return fmt.Sprintf("; did you mean %s?", best)
	}
	names := ""
	for i, f := range known {
		if i > 0 {
			names += ", "
		}
		names += f.name
	}
	return "; there are " + names
}

// editDistance counts the bytes to insert, delete or replace between a and b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
