package config

import (
	"encoding"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// decode reads document into target, which holds the defaults, and notes all
// problems of the document.
func (r *reader) decode(document []byte, target *File) {
	var tree map[string]any
	if err := toml.Unmarshal(document, &tree); err != nil {
		r.syntax(err)
		return
	}
	r.places = locate(document)
	r.table("", tree, reflect.ValueOf(target).Elem())
}

// reader collects the problems of one file.
type reader struct {
	name        string
	withoutKeys bool // do not read DKIM keys
	places      positions
	problems    Problems
}

// problem notes a problem of the key at path.
func (r *reader) problem(path, format string, args ...any) {
	at := r.places.find(path)
	r.problems = append(r.problems, Problem{
		File: r.name, Line: at.line, Column: at.column, Key: path, Text: fmt.Sprintf(format, args...),
	})
}

// syntax notes why the file is not valid TOML, which ends the search for problems.
func (r *reader) syntax(err error) {
	p := Problem{File: r.name, Text: strings.TrimPrefix(err.Error(), "toml: ")}
	var where *toml.DecodeError
	if errors.As(err, &where) {
		p.Line, p.Column = where.Position()
		p.Key = strings.Join(where.Key(), ".")
	}
	r.problems = append(r.problems, p)
}

// table reads a table into the fields of a struct.
func (r *reader) table(path string, tree map[string]any, target reflect.Value) {
	known := fields(target.Type())
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		at := join(path, key)
		i := slices.IndexFunc(known, func(f field) bool { return f.name == key })
		if i < 0 {
			r.problem(at, "unknown key%s", suggest(key, known))
			continue
		}
		r.value(at, tree[key], target.Field(known[i].index))
	}
}

// value reads one value of the document into target.
func (r *reader) value(path string, value any, target reflect.Value) {
	if target.Addr().Type().Implements(textUnmarshaler) {
		r.text(path, value, target)
		return
	}
	switch target.Kind() {
	case reflect.Pointer:
		target.Set(reflect.New(target.Type().Elem()))
		r.value(path, value, target.Elem())
		return
	case reflect.Struct:
		if tree, ok := value.(map[string]any); ok {
			r.table(path, tree, target)
			return
		}
	case reflect.Slice:
		if list, ok := value.([]any); ok {
			r.list(path, list, target)
			return
		}
	case reflect.Map:
		if tree, ok := value.(map[string]any); ok {
			r.entries(path, tree, target)
			return
		}
	case reflect.String:
		if s, ok := value.(string); ok {
			target.SetString(s)
			return
		}
	case reflect.Bool:
		if b, ok := value.(bool); ok {
			target.SetBool(b)
			return
		}
	case reflect.Int:
		if n, ok := value.(int64); ok && n >= 0 && n <= math.MaxInt32 {
			target.SetInt(n)
			return
		}
	}
	r.problem(path, "%s, not %s", expected(target.Type()), described(value))
}

// text reads a value whose type implements UnmarshalText. Integers count as text, so
// that sizes need not be quoted.
func (r *reader) text(path string, value any, target reflect.Value) {
	var text string
	switch v := value.(type) {
	case string:
		text = v
	case int64:
		text = fmt.Sprint(v)
	default:
		r.problem(path, "%s, not %s", expected(target.Type()), described(value))
		return
	}
	if err := target.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
		r.problem(path, "%v", err)
	}
}

func (r *reader) list(path string, list []any, target reflect.Value) {
	made := reflect.MakeSlice(target.Type(), len(list), len(list))
	for i, element := range list {
		r.value(fmt.Sprintf("%s[%d]", path, i), element, made.Index(i))
	}
	target.Set(made)
}

// entries reads a table whose keys are values, such as severities.
func (r *reader) entries(path string, tree map[string]any, target reflect.Value) {
	made := reflect.MakeMap(target.Type())
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		at := join(path, key)
		before := len(r.problems)
		k := reflect.New(target.Type().Key()).Elem()
		v := reflect.New(target.Type().Elem()).Elem()
		r.value(at, key, k)
		r.value(at, tree[key], v)
		if len(r.problems) == before {
			made.SetMapIndex(k, v)
		}
	}
	target.Set(made)
}

// expected describes the values that a key of type t takes.
func expected(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[Size]():
		return `expected a size such as 9000000 or "25 MiB"`
	case reflect.TypeFor[Duration]():
		return `expected a time such as "5s" or "2m"`
	}
	if reflect.PointerTo(t).Implements(textUnmarshaler) {
		return "expected text, in quotation marks"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "expected true or false"
	case reflect.Int:
		return "expected a whole number from 0 to 2147483647"
	case reflect.Slice:
		if isTables(t) {
			return "expected tables, each headed by its name in double square brackets"
		}
		return "expected a list, in square brackets"
	case reflect.Struct, reflect.Map:
		return "expected a table"
	}
	return "expected text, in quotation marks"
}

// described describes a value of the document.
func described(value any) string {
	switch v := value.(type) {
	case string:
		return fmt.Sprintf("the text %q", v)
	case bool:
		return fmt.Sprint(v)
	case int64, float64:
		return fmt.Sprintf("the number %v", v)
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date"
}
