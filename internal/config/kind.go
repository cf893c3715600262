package config

import (
	"fmt"
	"reflect"
	"strings"
)

// A kind describes the values of a type, and how a file writes them.
type kind struct {
	name string // for the manual
	want string // for errors
}

var kinds = map[reflect.Type]kind{
	reflect.TypeFor[Size]():              {"size", `a size: 9000000 or "25 MiB"`},
	reflect.TypeFor[Duration]():          {"time", `a time: "500ms", "5s", "2m" or "24h"`},
	reflect.TypeFor[SocketMode]():        {"permissions", `permissions in octal: "0660"`},
	reflect.TypeFor[bool]():              {"true or false", "true or false"},
	reflect.TypeFor[int]():               {"number", "a whole number from 0 to 2147483647"},
	reflect.TypeFor[string]():            {"text", "text in quotation marks"},
	network:                              {"network", `a network in quotation marks: "10.0.0.0/8"`},
	reflect.TypeFor[map[string]string](): {"table of patterns", `a table: { Subject = "*" }`},
}

// kind returns the kind of the values of a key.
func (k key) kind() kind {
	if words := k.words(); words != nil {
		return kind{list(words, "or"), list(words, "or") + ", in quotation marks"}
	}
	t := k.typ
	if known, ok := kinds[t]; ok {
		return known
	}
	switch {
	case t.Kind() == reflect.Pointer:
		return k.of(t.Elem()).kind()
	case isTables(t):
		return kind{"tables", "tables, each with its name in double square brackets above it"}
	case t.Kind() == reflect.Slice:
		return kind{"list of " + plural(k.of(t.Elem()).kind().name), "a list in square brackets"}
	case t.Kind() == reflect.Map:
		return kind{"table", "a table"}
	}
	return kind{"table", "a table, with its name in square brackets above it"}
}

func plural(name string) string { return strings.TrimSuffix(name, "s") + "s" }

// described returns a description of a value of the document, for errors.
func described(value any) string {
	switch v := value.(type) {
	case string:
		return fmt.Sprintf("text %q", v)
	case bool:
		return fmt.Sprint(v)
	case int64, float64:
		return fmt.Sprintf("number %v", v)
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date"
}
