package config

import (
	"maps"
	"reflect"
	"slices"
)

// Changes returns the keys whose values differ between two files, such as
// "limits.time", in the order of the example file. All rules together are "rule". Last
// come the files of lists whose lines differ, as "file:/path".
func Changes(before, after *File) []string {
	var keys []string
	a, b := reflect.ValueOf(before).Elem(), reflect.ValueOf(after).Elem()
	for _, table := range keysOf(a.Type()) {
		x, y := a.Field(table.index), b.Field(table.index)
		if table.typ.Kind() != reflect.Struct {
			if !equal(x, y) {
				keys = append(keys, table.name)
			}
			continue
		}
		for _, f := range keysOf(table.typ) {
			if !equal(x.Field(f.index), y.Field(f.index)) {
				keys = append(keys, table.name+"."+f.name)
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(after.lists)) {
		if lines, ok := before.lists[path]; ok && !slices.Equal(lines, after.lists[path]) {
			keys = append(keys, filePrefix+path)
		}
	}
	return keys
}

func equal(a, b reflect.Value) bool { return reflect.DeepEqual(a.Interface(), b.Interface()) }
