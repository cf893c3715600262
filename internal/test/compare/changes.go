package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// changesBetween returns how two outcomes of a job differ, without the wording of
// details of findings.
func changesBetween(j job, old, new outcome) []change {
	var all []change
	if old.exit != new.exit {
		all = append(all, change{where: whereExit, old: fmt.Sprint(old.exit), new: fmt.Sprint(new.exit)})
	}
	if !bytes.Equal(old.stderr, new.stderr) {
		all = append(all, change{where: whereStderr, old: string(old.stderr), new: string(new.stderr)})
	}
	if bytes.Equal(old.stdout, new.stdout) {
		return all
	}
	switch {
	case slices.Contains(j.flags, "json") || slices.Contains(j.flags, "--json"):
		return append(all, objectChanges(old.stdout, new.stdout)...)
	case j.command == "rewrite":
		return append(all, messageChanges(old.stdout, new.stdout)...)
	}
	return append(all, lineChanges(string(old.stdout), string(new.stdout))...)
}

// objectChanges compares lines of JSON object by object.
func objectChanges(old, new []byte) []change {
	before, ok := objects(old)
	after, ok2 := objects(new)
	if !ok || !ok2 {
		return lineChanges(string(old), string(new))
	}
	var all []change
	beforeKeys, byKey := keyed(before)
	afterKeys, afterByKey := keyed(after)
	for _, key := range beforeKeys {
		if c, differs := objectChange(byKey[key], afterByKey[key]); differs {
			all = append(all, c)
		}
	}
	for _, key := range afterKeys {
		if _, known := byKey[key]; !known {
			c, _ := objectChange(nil, afterByKey[key])
			all = append(all, c)
		}
	}
	if len(all) == 0 && !slices.Equal(beforeKeys, afterKeys) {
		all = append(all, change{where: whereOrder, old: strings.Join(beforeKeys, "\n"), new: strings.Join(afterKeys, "\n")})
	}
	if len(all) == 0 && !bytes.Equal(withoutDetails(before), withoutDetails(after)) {
		all = append(all, lineChanges(string(old), string(new))...)
	}
	if len(all) == 0 && !sameForm(old, new, before, after) {
		all = append(all, lineChanges(string(old), string(new))...)
	}
	return all
}

// sameForm reports whether each line is spelled as before, wherever its details
// are the same: the order of fields and the escapes are a contract, too.
func sameForm(old, new []byte, before, after []object) bool {
	oldLines, newLines := bytes.Split(old, []byte("\n")), bytes.Split(new, []byte("\n"))
	if len(oldLines) != len(newLines) {
		return false
	}
	for i := range before {
		if reflect.DeepEqual(before[i], after[i]) && !bytes.Equal(oldLines[i], newLines[i]) {
			return false
		}
	}
	return true
}

func objects(lines []byte) ([]object, bool) {
	var all []object
	for line := range bytes.Lines(lines) {
		var o object
		if json.Unmarshal(line, &o) != nil || o == nil {
			return nil, false
		}
		all = append(all, o)
	}
	return all, true
}

// keyed names each object by its place: of several of one place, by their number.
func keyed(all []object) ([]string, map[string]object) {
	keys, byKey := make([]string, 0, len(all)), make(map[string]object)
	seen := make(map[string]int)
	for _, o := range all {
		key := fmt.Sprintf("%s %s %d", o.text("file"), o.text("part"), o.number("offset"))
		if o.text("kind") == "message" {
			key += " message " + reasonOf(o)
		}
		if o["input"] != nil {
			key = o.text("input")
		}
		seen[key]++
		key = fmt.Sprintf("%s #%d", key, seen[key])
		keys, byKey[key] = append(keys, key), o
	}
	return keys, byKey
}

// plainObject returns a copy of an object without the wording of details. A detail that
// appears or disappears still counts.
func plainObject(o object) object {
	if o == nil || o["findings"] == nil {
		return o
	}
	o = maps.Clone(o)
	list := []any{}
	for _, f := range findings(o) {
		if f.text("detail") != "" && !keepsDetail(f) {
			f = maps.Clone(f)
			f["detail"] = detailWording
		}
		list = append(list, map[string]any(f))
	}
	o["findings"] = list
	return o
}

func withoutDetails(all []object) []byte {
	var b bytes.Buffer
	for _, o := range all {
		line, _ := json.Marshal(plainObject(o))
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func objectChange(old, new object) (change, bool) {
	a, b := plainObject(old), plainObject(new)
	c := change{where: whereObject, oldObj: a, newObj: b, old: asJSON(a), new: asJSON(b)}
	names := make(map[string]bool)
	for name := range a {
		names[name] = true
	}
	for name := range b {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, had := a[name]
		after, has := b[name]
		if had != has || !reflect.DeepEqual(before, after) {
			c.fields = append(c.fields, name)
		}
	}
	return c, len(c.fields) > 0
}
