package htmlpart

import (
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ascii"
)

// condition is what a selector wants of an attribute (Selectors §6): all of its value, or a
// part of it, by the sign before "=".
type condition struct {
	name, value string
	sign        byte // 0 for all of the value
}

// maxConditions is the number of conditions of a style sheet that are told apart.
const maxConditions = 64

// conditionsOf appends the conditions of the selectors of a rule. Classes count where the rule
// shows elements.
func conditionsOf(conditions []condition, selectors string, shows bool) []condition {
	add := func(c condition) {
		if c.value != "" && len(conditions) < maxConditions && !slices.Contains(conditions, c) {
			conditions = append(conditions, c)
		}
	}
	if !shows && strings.IndexByte(selectors, '[') < 0 && !strings.Contains(selectors, ":lang") {
		return conditions
	}
	for rest := selectors; ; {
		i := strings.IndexAny(rest, "[.:")
		if i < 0 {
			return conditions
		}
		mark := rest[i]
		rest = rest[i+1:]
		switch {
		case mark == '[':
			test, after, _ := strings.Cut(rest, "]")
			rest = after
			if name, value, ok := strings.Cut(test, "="); ok && name != "" {
				add(attributeCondition(name, value))
			}
		case mark == ':' && ascii.HasPrefixFold(rest, "lang("):
			value, _, _ := strings.Cut(rest[len("lang("):], ")")
			add(condition{"lang", strings.ToLower(trim(value)), '|'})
		case mark == '.' && shows:
			end := strings.IndexAny(rest, ".#[:]=~^$*|() >+,")
			if end < 0 {
				end = len(rest)
			}
			add(condition{"class", strings.ToLower(rest[:end]), '~'})
		}
	}
}

// attributeCondition returns the condition with a name, which may end in a sign, and a value.
func attributeCondition(name, value string) (c condition) {
	if last := name[len(name)-1]; strings.IndexByte("~|^$*", last) >= 0 {
		c.sign, name = last, name[:len(name)-1]
	}
	value, _, _ = strings.Cut(trim(value), " ") // " i"
	c.name, c.value = strings.ToLower(trim(name)), strings.ToLower(strings.Trim(value, `"'`))
	return c
}

// holds reports whether a value is as the condition wants.
func (c *condition) holds(value string) bool {
	value = strings.ToLower(value)
	switch c.sign {
	case '~':
		return slices.Contains(strings.Fields(value), c.value)
	case '|':
		return value == c.value || strings.HasPrefix(value, c.value+"-")
	case '^':
		return strings.HasPrefix(value, c.value)
	case '$':
		return strings.HasSuffix(value, c.value)
	case '*':
		return strings.Contains(value, c.value)
	}
	return value == c.value
}
