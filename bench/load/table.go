//go:build linux

package main

import (
	"fmt"
	"io"
	"strings"
)

// columns are those of a table.
var columns = []string{"messages/s", "p50", "p90", "p99", "max", "processor time a message", "RSS, peak", "PSS, peak"}

// printTable prints what servers took, as a table in Markdown.
func printTable(out io.Writer, title string, servers []*server) {
	fmt.Fprintf(out, "\n| %s | %s |\n|%s\n", title, strings.Join(columns, " | "), strings.Repeat("---|", len(columns)+1))
	for _, s := range servers {
		cells := []string{s.name, fmt.Sprintf("%.0f", s.rate())}
		for _, p := range s.latencies.percentiles(0.5, 0.9, 0.99, 1) {
			cells = append(cells, milliseconds(p))
		}
		if s.program != nil {
			cells = append(cells, milliseconds(s.cost()), megabytes(s.memory.resident), megabytes(s.memory.proportional))
		} else {
			cells = append(cells, "", "", "")
		}
		fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
	}
}
