package main

import (
	"slices"
	"strings"
)

// Items of one process. Errors of lines are counted after the twentieth, so
// twenty lines lose none.
const (
	fileBatch = 50
	lineBatch = 20
	subset    = 10 // of the inputs every tenth is also run with rarer flags
)

// jobs returns every process to run, with batches for the commands that take many inputs.
func jobs(in inputs) []job {
	messages := slices.Concat(in.corpus, in.generated)
	texts := slices.Concat(in.corpus, in.texts)
	judging := "configs/judging.toml"
	var all []job
	add := func(command string, flags []string, items []item, size int, lines bool) {
		var rest []item
		for _, it := range items {
			// A byte order mark counts only at the start of the input.
			if strings.HasPrefix(it.line, bom) {
				all = append(all, job{command: command, flags: flags, items: []item{it}, lines: lines})
			} else {
				rest = append(rest, it)
			}
		}
		for batch := range slices.Chunk(rest, size) {
			all = append(all, job{command: command, flags: flags, items: batch, lines: lines})
		}
	}
	files := func(items []item, flags ...string) { add("scan", flags, items, fileBatch, false) }
	files(messages, "--format", "json")
	files(every(messages, subset), "--format", "json", "--fail-on", "high", "--config", judging)
	files(every(messages, subset), "--format", "table")
	files(texts, "--text", "--format", "json")
	files(texts, "--text", "--format", "json", "--strict")
	files(texts, "--text", "--format", "mark")
	files(every(in.generated, subset), "--text", "--format", "mark")
	files(every(texts, subset), "--text", "--format", "table")

	add("explain", []string{"--json"}, in.lines, lineBatch, true)
	add("explain", []string{"--json", "--config", judging}, every(in.lines, subset), lineBatch, true)
	add("explain", nil, every(in.lines, subset), lineBatch, true)
	add("format", nil, in.urls, lineBatch, true)
	add("format", []string{"--ascii"}, in.urls, lineBatch, true)

	for i, message := range in.generated {
		add("rewrite", in.rewrites[i%len(in.rewrites)].flags(), []item{message}, 1, false)
	}
	// The messages of the repository are each about one thing: they get three ways each.
	for i, message := range in.corpus {
		for n := range 3 {
			way := in.rewrites[(i*3+n)%len(in.rewrites)]
			add("rewrite", way.flags(), []item{message}, 1, false)
		}
	}
	add("check-config", nil, in.checks, 1, false)
	return all
}

// every returns each n-th item.
func every(items []item, n int) []item {
	var some []item
	for i := 0; i < len(items); i += n {
		some = append(some, items[i])
	}
	return some
}
