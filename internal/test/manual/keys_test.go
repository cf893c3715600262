package manual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/linkmilter/linkmilter/internal/config"
)

func writeKeys(b *strings.Builder) {
	b.WriteString(`
## Configuration

A TOML file; [config.example.toml](../config.example.toml) is one with all defaults. Each key is
shown with its default, or with the kind of its value. Times are written "5s" or "2m", sizes 9000000
or "25 MiB". A key with a dot, such as when.client, may also be written as an inline table:
when = { client = [] }. linkmilter check-config names what is wrong.
`)
	for _, table := range config.Tables() {
		heading := "`" + table.Header + "`"
		if table.Header == "" {
			heading = "Above the first table"
		}
		fmt.Fprintf(b, "\n### %s\n\n", heading)
		if table.Help != "" {
			fmt.Fprintf(b, "%s\n\n", table.Help)
		}
		for _, k := range table.Keys {
			item(b, keyLine(k), valueOf(k), k.Help)
		}
	}
}

// keyLine is a key with its default, as the file writes it.
func keyLine(k config.Key) string {
	if k.Default == "" {
		return k.Name
	}
	return k.Name + " = " + k.Default
}

// valueOf says what a key takes, or returns "" if the default and the help say it.
func valueOf(k config.Key) string {
	words := strings.FieldsFunc(k.Value, func(r rune) bool { return r == ' ' || r == ',' })
	isChoice := slices.Contains(words, "or") && k.Value != "true or false"
	for _, word := range words {
		if isChoice && word != "or" && !strings.Contains(k.Help, word) {
			return k.Value
		}
	}
	if k.Default != "" || isChoice {
		return ""
	}
	return k.Value
}
