package tables

import (
	"fmt"
	"strings"

	"github.com/linkmilter/linkmilter/internal/config"
)

func writeKeys(b *strings.Builder) {
	b.WriteString(`
## Configuration

A TOML file; [config.example.toml](../config.example.toml) is one with all defaults. Times are
written "5s" or "2m", sizes 9000000 or "25 MiB". A key with a dot, such as when.client, may also be
written as an inline table: when = { client = [] }. linkmilter check-config names what is wrong.
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
		row(b, "key", "value", "default", "")
		row(b, "---", "---", "---", "---")
		for _, k := range table.Keys {
			row(b, code(k.Name), k.Value, code(k.Default), k.Help)
		}
	}
}
