package config

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/linkmilter/linkmilter/filter/rule"
)

// decode reads document into target, which holds the defaults, and notes all
// problems of single keys and values.
func (r *reader) decode(document []byte, target *File) {
	var tree map[string]any
	if err := toml.Unmarshal(document, &tree); err != nil {
		r.syntax(err)
		return
	}
	r.places = locate(document)
	r.table("", tree, reflect.ValueOf(target).Elem())
}

// table reads a table into the fields of a struct.
func (r *reader) table(path string, tree map[string]any, target reflect.Value) {
	known := keysOf(target.Type())
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		at := join(path, name)
		i := slices.IndexFunc(known, func(k key) bool { return k.name == name })
		if i < 0 {
			r.problem(at, "%s", unknownKey(name, known))
			continue
		}
		r.value(at, known[i].check, tree[name], target.Field(known[i].index))
	}
}

// value reads one value of the document into target, and checks it.
func (r *reader) value(path, check string, value any, target reflect.Value) {
	t := target.Type()
	switch tree, isTree := value.(map[string]any); {
	case isText(t):
		r.text(path, check, value, target)
	case t.Kind() == reflect.Pointer:
		target.Set(reflect.New(t.Elem()))
		r.value(path, check, value, target.Elem())
	case t.Kind() == reflect.Struct && isTree:
		r.table(path, tree, target)
	case t == fieldPatterns && isTree:
		r.fieldPatterns(path, tree, target)
	case t.Kind() == reflect.Map && isTree:
		r.entries(path, check, tree, target)
	case t.Kind() == reflect.Slice && t != fieldPatterns:
		r.list(path, check, value, target)
	case !set(target, value):
		r.wrongType(path, value, t)
	default:
		r.check(path, check, target)
	}
}

// set sets a text, a number or a truth value, or reports false for a value of another
// type.
func set(target reflect.Value, value any) bool {
	switch v := value.(type) {
	case string:
		if target.Kind() == reflect.String {
			target.SetString(v)
			return true
		}
	case bool:
		if target.Kind() == reflect.Bool {
			target.SetBool(v)
			return true
		}
	case int64:
		if target.Kind() == reflect.Int && v >= 0 && v <= math.MaxInt32 {
			target.SetInt(v)
			return true
		}
	}
	return false
}

// text reads a value that is written as text. Integers count as text, so that sizes
// need not be quoted.
func (r *reader) text(path, check string, value any, target reflect.Value) {
	if n, ok := value.(int64); ok {
		value = fmt.Sprint(n)
	}
	text, ok := value.(string)
	if !ok {
		r.wrongType(path, value, target.Type())
		return
	}
	if err := setText(target, text); err != nil {
		r.problem(path, "%v", err)
		return
	}
	r.check(path, check, target)
}

func (r *reader) list(path, check string, value any, target reflect.Value) {
	values, ok := value.([]any)
	if !ok {
		r.wrongType(path, value, target.Type())
		return
	}
	made := reflect.MakeSlice(target.Type(), len(values), len(values))
	for i, v := range values {
		r.value(element(path, i), check, v, made.Index(i))
	}
	target.Set(made)
}

// entries reads a table whose keys are values, too, such as codes. The check is for
// these.
func (r *reader) entries(path, check string, tree map[string]any, target reflect.Value) {
	made := reflect.MakeMap(target.Type())
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		at := join(path, name)
		before := len(r.problems)
		k := reflect.New(target.Type().Key()).Elem()
		v := reflect.New(target.Type().Elem()).Elem()
		r.value(at, check, name, k)
		r.value(at, "", tree[name], v)
		if len(r.problems) == before {
			made.SetMapIndex(k, v)
		}
	}
	target.Set(made)
}

func (r *reader) fieldPatterns(path string, tree map[string]any, target reflect.Value) {
	var made []rule.HeaderMatch
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		match := rule.HeaderMatch{Name: name}
		r.value(join(path, name), "", tree[name], reflect.ValueOf(&match.Value).Elem())
		made = append(made, match)
	}
	target.Set(reflect.ValueOf(made))
}

func (r *reader) wrongType(path string, value any, t reflect.Type) {
	want := kindOf(t).want
	if text, ok := value.(string); ok && t.Kind() == reflect.Slice && !isTables(t) && t != fieldPatterns {
		want = fmt.Sprintf("a list: [%q]", text)
	}
	r.problem(path, "%s: wrong type (want %s)", described(value), want)
}

// check notes what is wrong with a value of the right type. An empty text, but not one
// in a list, stands for the default.
func (r *reader) check(path, name string, value reflect.Value) {
	if name == "" || value.Kind() == reflect.String && value.String() == "" && !strings.HasSuffix(path, "]") {
		return
	}
	if err := checks[name](value.Interface()); err != nil {
		r.problem(path, "%v", err)
	}
}
