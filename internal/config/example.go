package config

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
)

// Example returns a file with every key, its default and a line of help. Using this file has the
// same effect as using none.
func Example() []byte {
	w := &exampleWriter{}
	w.comment("linkmilter's configuration: every key with its default. Times are written \"5s\" or \"2m\", sizes 9000000 or \"25 MiB\".")
	w.comment("Check a changed file with `linkmilter check-config FILE`; SIGHUP makes a running linkmilter read it again.")
	file := reflect.ValueOf(Default())
	for _, f := range keysOf(file.Type()) {
		w.line("")
		w.comment(f.help)
		value := file.Field(f.index)
		if !isTable(f.typ) && !isTables(f.typ) {
			w.line(mark(value) + f.name + " = " + literal(f, value))
			continue
		}
		if f.typ.Kind() == reflect.Struct {
			w.line("[" + f.name + "]")
			w.table("", value)
			w.tables(f.name, value)
			continue
		}
		if value.Len() == 0 {
			w.tableComment(f)
		}
		for i := range value.Len() {
			if i > 0 {
				w.line("")
			}
			w.line("[[" + f.name + "]]")
			if i == 0 {
				w.table("", value.Index(i)) // the first shows every key
			} else {
				w.keys("", value.Index(i))
			}
		}
	}
	return w.out.Bytes()
}

type exampleWriter struct{ out bytes.Buffer }

func (w *exampleWriter) line(text string) { w.out.WriteString(text + "\n") }

// comment writes text as comment lines, broken at spaces, of at most 100 characters
// where possible.
func (w *exampleWriter) comment(text string) {
	const width = 98
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			w.line("# " + line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	w.line("# " + line)
}

// table writes all keys of a table with their help. A key whose default cannot be written is
// commented out.
func (w *exampleWriter) table(prefix string, table reflect.Value) {
	for _, f := range keysOf(table.Type()) {
		value := table.Field(f.index)
		if isTables(f.typ) {
			continue
		}
		w.comment(f.help)
		if isTable(f.typ) {
			w.table(prefix+f.name+".", value)
			continue
		}
		w.line(mark(value) + prefix + f.name + " = " + literal(f, value))
	}
}

// tables writes the arrays of tables within a table as comments, since they do not
// have defaults.
func (w *exampleWriter) tables(name string, table reflect.Value) {
	for _, f := range keysOf(table.Type()) {
		if !isTables(f.typ) {
			continue
		}
		w.comment(f.help)
		f.name = name + "." + f.name
		w.tableComment(f)
	}
}

// tableComment writes a table of an array as comments.
func (w *exampleWriter) tableComment(k key) {
	w.line("# [[" + k.name + "]]")
	element := empty(k.typ.Elem())
	for _, key := range keysOf(element.Type()) {
		w.comment("  " + key.help)
		w.line("#   " + key.name + " = " + literal(key, element.Field(key.index)))
	}
}

// keys writes the keys of a table that do not have their defaults.
func (w *exampleWriter) keys(prefix string, table reflect.Value) {
	unset := empty(table.Type())
	for _, f := range keysOf(table.Type()) {
		switch value := table.Field(f.index); {
		case equal(value, unset.Field(f.index)):
		case isTable(f.typ):
			w.keys(prefix+f.name+".", value)
		default:
			w.line(prefix + f.name + " = " + literal(f, value))
		}
	}
}

// mark returns the comment sign for a key without a default: its absence has a
// meaning.
func mark(value reflect.Value) string {
	switch value.Kind() {
	case reflect.Pointer, reflect.Map:
		if value.IsNil() {
			return "# "
		}
	case reflect.Slice:
		if value.Len() == 0 {
			return "# "
		}
	}
	return ""
}

// literal writes a value of a key as TOML.
func literal(k key, value reflect.Value) string {
	if k.words() != nil {
		return quote(k.word(value))
	}
	switch v := value.Interface().(type) {
	case Size:
		if text := v.String(); strings.Contains(text, " ") {
			return quote(text)
		}
		return v.String()
	case fmt.Stringer:
		return quote(v.String())
	}
	switch value.Kind() {
	case reflect.Pointer:
		if value.IsNil() {
			return "true"
		}
		return literal(k.of(k.typ.Elem()), value.Elem())
	case reflect.Slice:
		elements := make([]string, value.Len())
		for i := range elements {
			elements[i] = literal(k.of(k.typ.Elem()), value.Index(i))
		}
		return "[" + strings.Join(elements, ", ") + "]"
	case reflect.Map:
		return "{}"
	case reflect.String:
		return quote(value.String())
	}
	return fmt.Sprint(value.Interface())
}

// quote writes text as a basic string. Defaults hold nothing to escape.
func quote(text string) string { return `"` + text + `"` }
