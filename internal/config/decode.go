package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// decode reads document into target, which holds the defaults, and notes all
// problems of single keys and values.
func (r *reader) decode(document []byte, target *File) {
	var tree map[string]any
	if err := toml.Unmarshal(document, &tree); err != nil {
		r.syntax(err, document)
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
		r.value(at, known[i], tree[name], target.Field(known[i].index))
	}
}

// value reads one value of the document into target, which has the type of the key, and
// checks it.
func (r *reader) value(path string, k key, value any, target reflect.Value) {
	t := k.typ
	switch tree, isTree := value.(map[string]any); {
	case k.isText():
		r.text(path, k, value, target)
	case t.Kind() == reflect.Pointer:
		target.Set(reflect.New(t.Elem()))
		r.value(path, k.of(t.Elem()), value, target.Elem())
	case t.Kind() == reflect.Struct && isTree:
		r.table(path, tree, target)
	case t.Kind() == reflect.Map && isTree:
		r.entries(path, k, tree, target)
	case t.Kind() == reflect.Slice:
		r.list(path, k, value, target)
	case !set(target, value):
		r.wrongType(path, value, k)
	default:
		r.check(path, k.check, target)
	}
}

// text reads a value that is written as text. Integers count as text, so that sizes
// need not be quoted.
func (r *reader) text(path string, k key, value any, target reflect.Value) {
	if n, ok := value.(int64); ok {
		value = fmt.Sprint(n)
	}
	text, ok := value.(string)
	if !ok {
		r.wrongType(path, value, k)
		return
	}
	if err := k.setText(target, text); err != nil {
		r.problem(path, "%v", err)
		return
	}
	r.check(path, k.check, target)
}

func (r *reader) list(path string, k key, value any, target reflect.Value) {
	values, ok := value.([]any)
	if !ok {
		r.wrongType(path, value, k)
		return
	}
	each := k.of(k.typ.Elem())
	made := reflect.MakeSlice(k.typ, len(values), len(values))
	for i, v := range values {
		if isTable(each.typ) {
			setDefaults(made.Index(i))
		}
		r.value(element(path, i), each, v, made.Index(i))
	}
	target.Set(made)
}

// entries reads a table whose keys are not fixed but values themselves, such as codes. The check of
// its key is for them.
func (r *reader) entries(path string, k key, tree map[string]any, target reflect.Value) {
	made := reflect.MakeMap(k.typ)
	of, to := k.of(k.typ.Key()), k.of(k.typ.Elem())
	to.check = ""
	for _, entry := range slices.Sorted(maps.Keys(tree)) {
		at := join(path, entry)
		before := len(r.problems)
		name, value := reflect.New(of.typ).Elem(), reflect.New(to.typ).Elem()
		r.value(at, of, entry, name)
		r.value(at, to, tree[entry], value)
		if len(r.problems) == before {
			made.SetMapIndex(name, value)
		}
	}
	target.Set(made)
}

func (r *reader) wrongType(path string, value any, k key) {
	want := k.kind().want
	if text, ok := value.(string); ok && k.typ.Kind() == reflect.Slice && !isTables(k.typ) {
		want = fmt.Sprintf("a list: [%q]", text)
	}
	r.problem(path, "%s: wrong type (want %s)", described(value), want)
}

// check notes a problem of a value of the right type. An empty text stands for the default, except
// in a list.
func (r *reader) check(path, name string, value reflect.Value) {
	if name == "" || value.Kind() == reflect.String && value.String() == "" && !strings.HasSuffix(path, "]") {
		return
	}
	if err := checks[name](value.Interface()); err != nil {
		r.problem(path, "%v", err)
	}
}
