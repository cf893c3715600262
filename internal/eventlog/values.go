package eventlog

import (
	"strconv"
	"strings"
)

// pairsOf returns the key=value pairs of a line as slog's text handler writes them; nil if
// it has none. It skips words without "=", such as the time and host that syslog adds.
func pairsOf(line string) map[string]string {
	var pairs map[string]string
	for line != "" {
		line = strings.TrimLeft(line, " \t")
		end := strings.IndexAny(line, " \t=")
		if end <= 0 || line[end] != '=' {
			if end < 0 {
				break
			}
			line = line[end+1:]
			continue
		}
		key := line[:end]
		var value string
		value, line = valueOf(line[end+1:])
		if pairs == nil {
			pairs = make(map[string]string)
		}
		if i := strings.LastIndexByte(key, '>'); i >= 0 { // <6>msg=
			key = key[i+1:]
		}
		pairs[key] = value
	}
	return pairs
}

// valueOf returns the value at the beginning of a text, and the rest.
func valueOf(s string) (value, rest string) {
	if quoted, err := strconv.QuotedPrefix(s); err == nil {
		if value, err := strconv.Unquote(quoted); err == nil {
			return value, s[len(quoted):]
		}
	}
	value, rest, _ = strings.Cut(s, " ")
	return value, rest
}

// text returns an attribute as text.
func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// list returns an attribute that is a list, in JSON or as [a b].
func list(value any) []string {
	switch v := value.(type) {
	case []any:
		var texts []string
		for _, element := range v {
			texts = append(texts, text(element))
		}
		return texts
	case string:
		inner, ok := strings.CutPrefix(v, "[")
		inner, closed := strings.CutSuffix(inner, "]")
		if ok && closed {
			return strings.Fields(inner)
		}
	}
	return nil
}

// number returns an attribute that is a number; 0 for any other.
func number(value any) int {
	n, err := strconv.Atoi(text(value))
	if err != nil {
		return 0
	}
	return n
}
