package config

import (
	"encoding"
	"fmt"
	"math"
	"net/netip"
	"reflect"
	"slices"
)

var network = reflect.TypeFor[netip.Prefix]()

// isText reports whether the values of a key that is not a string are written as text.
func (k key) isText() bool { return k.words() != nil || writesText(k.typ) }

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

// setText sets a value of a key that isText. The error describes the problem of text.
func (k key) setText(target reflect.Value, text string) error {
	words := k.words()
	switch u, ok := target.Addr().Interface().(encoding.TextUnmarshaler); {
	case k.typ == network:
		prefix, err := readNetwork(text)
		if err == nil {
			target.Set(reflect.ValueOf(prefix))
		}
		return err
	case ok && words == nil:
		return u.UnmarshalText([]byte(text))
	case ok && u.UnmarshalText([]byte(text)) == nil:
		return nil
	case !ok && slices.Contains(words, text):
		k.setWord(target, text)
		return nil
	}
	return unknownValue("value", text, words)
}

// unknownValue is the error for text that is not one of the names.
func unknownValue(thing, text string, names []string) error {
	if near := nearest(text, names); near != "" {
		return fmt.Errorf("%s %q: unknown, did you mean %s? (want %s)", thing, text, near, list(names, "or"))
	}
	return fmt.Errorf("%s %q: unknown (want %s)", thing, text, list(names, "or"))
}
