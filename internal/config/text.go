package config

import (
	"encoding"
	"fmt"
	"net/netip"
	"reflect"
	"slices"

	"github.com/linkmilter/linkmilter/policy"
)

// chooser is a type whose values have names.
type chooser interface{ Choices() []string }

var (
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	network         = reflect.TypeFor[netip.Prefix]()
	severity        = reflect.TypeFor[policy.Severity]()
)

// isText reports whether values of a type other than string are written as text.
func isText(t reflect.Type) bool {
	return choices(t) != nil || reflect.PointerTo(t).Implements(textUnmarshaler)
}

// choices returns the names of the values of a type, or nil if they do not have names.
func choices(t reflect.Type) []string {
	if t == severity {
		var names []string
		for s := policy.SeverityNone; s <= policy.SeverityHigh; s++ {
			names = append(names, s.String())
		}
		return names
	}
	if c, ok := reflect.Zero(t).Interface().(chooser); ok && t.Kind() != reflect.Pointer {
		return c.Choices()
	}
	return nil
}

// setText sets a value whose type isText. The error says what is wrong with text.
func setText(target reflect.Value, text string) error {
	names := choices(target.Type())
	switch u, ok := target.Addr().Interface().(encoding.TextUnmarshaler); {
	case target.Type() == network:
		prefix, err := readNetwork(text)
		if err == nil {
			target.Set(reflect.ValueOf(prefix))
		}
		return err
	case ok && names == nil:
		return u.UnmarshalText([]byte(text))
	case ok && u.UnmarshalText([]byte(text)) == nil:
		return nil
	case !ok && slices.Contains(names, text):
		if target.Kind() == reflect.String {
			target.SetString(text)
		} else {
			target.SetUint(uint64(slices.Index(names, text)))
		}
		return nil
	}
	return unknownValue("value", text, names)
}

// unknownValue is the error for text that is not one of the names.
func unknownValue(thing, text string, names []string) error {
	if near := nearest(text, names); near != "" {
		return fmt.Errorf("%s %q: unknown, did you mean %s? (want %s)", thing, text, near, list(names, "or"))
	}
	return fmt.Errorf("%s %q: unknown (want %s)", thing, text, list(names, "or"))
}
