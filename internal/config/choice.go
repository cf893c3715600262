package config

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/policy"
)

// named are the types whose values have the same names in all keys.
var named = map[reflect.Type][]string{
	reflect.TypeFor[rule.Action]():     namesOf(rule.ActionNone, rule.ActionReject),
	reflect.TypeFor[policy.Severity](): namesOf(policy.SeverityNone, policy.SeverityHigh),
	reflect.TypeFor[LogLevel]():        logLevels,
}

// namesOf returns the names of the values from the first to the last.
func namesOf[T interface {
	~uint8
	fmt.Stringer
}](first, last T,
) []string {
	var names []string
	for value := first; value <= last; value++ {
		names = append(names, value.String())
	}
	return names
}

// words returns the words that a key takes, or nil if it takes other values, too.
func (k key) words() []string {
	if k.choice != nil {
		return k.choice
	}
	return named[k.typ]
}

// names returns the names of the values of a key with words: 0, 1 and so on, or false
// and true.
func (k key) names() []string {
	if names := named[k.typ]; names != nil {
		return names
	}
	return k.choice
}

// setWord sets a value to one of the key's words.
func (k key) setWord(target reflect.Value, word string) {
	switch i := slices.Index(k.names(), word); target.Kind() {
	case reflect.String:
		target.SetString(word)
	case reflect.Bool:
		target.SetBool(i == 1)
	default:
		target.SetUint(uint64(i))
	}
}

// word returns the word for a value of a key with words.
func (k key) word(value reflect.Value) string {
	switch value.Kind() {
	case reflect.String:
		return value.String()
	case reflect.Bool:
		if value.Bool() {
			return k.names()[1]
		}
		return k.names()[0]
	case reflect.Uint8:
		return k.names()[value.Uint()]
	}
	return fmt.Sprint(value.Interface())
}
