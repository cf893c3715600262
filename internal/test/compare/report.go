package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of one difference as it is shown.
const (
	maxShownLines = 30
	maxShownWidth = 240
)

// report prints the differences, the counts of each command and of what was
// allowed. It returns whether every difference is allowed.
func report(w io.Writer, differences []difference, in inputs, show int) bool {
	unexplained, allowed := make(map[string]int), make(map[string]int)
	for i := range differences {
		d := &differences[i]
		ids := make(map[string]bool)
		for _, c := range d.changes {
			ids[c.allowed] = true
		}
		for id := range ids {
			if id != "" {
				allowed[id]++
			}
		}
		if d.explained() {
			continue
		}
		class := classOf(d)
		if unexplained[class]++; unexplained[class] <= show {
			showDifference(w, d)
		}
	}
	total := 0
	for _, class := range slices.Sorted(maps.Keys(unexplained)) {
		fmt.Fprintf(w, "%6d unexplained: %s\n", unexplained[class], class)
		total += unexplained[class]
	}
	for _, id := range slices.Sorted(maps.Keys(allowed)) {
		fmt.Fprintf(w, "%6d allowed: %s\n", allowed[id], id)
	}
	fmt.Fprintf(w, "%s: %d unexplained, %d allowed differences\n", in.summary(), total, len(differences)-total)
	return total == 0
}

// classOf names the kind of a difference: the command and what differs.
func classOf(d *difference) string {
	var what []string
	for _, c := range d.changes {
		if c.allowed != "" {
			continue
		}
		text := c.where
		if c.where == whereObject {
			text = strings.Join(c.fields, ",")
			if c.oldObj == nil {
				text = "object added"
			} else if c.newObj == nil {
				text = "object removed"
			}
		}
		if !slices.Contains(what, text) {
			what = append(what, text)
		}
	}
	slices.Sort(what)
	return d.job.command + ": " + strings.Join(what, "; ")
}

// showDifference prints the command line and what differs in its outcome.
func showDifference(w io.Writer, d *difference) {
	name := d.job.items[0].name
	if n := len(d.job.items); n > 1 {
		name += fmt.Sprintf(" and %d more, only together", n-1)
	}
	fmt.Fprintf(w, "=== %s\n    %s\n", name, commandLine(d))
	for _, c := range d.changes {
		if c.allowed != "" {
			fmt.Fprintf(w, "    (allowed: %s, %s)\n", c.allowed, c.where)
			continue
		}
		if c.where == whereObject && c.oldObj != nil && c.newObj != nil {
			fmt.Fprintf(w, "  object %s\n", printable(cmp.Or(c.oldObj.text("input"), c.oldObj.text("part")+" "+c.oldObj.text("text"))))
			for _, f := range c.fields {
				showLines(w, f+" -", asJSON(object{f: c.oldObj[f]}))
				showLines(w, f+" +", asJSON(object{f: c.newObj[f]}))
			}
			continue
		}
		fmt.Fprintf(w, "  %s\n", c.where)
		showLines(w, "-", c.old)
		showLines(w, "+", c.new)
	}
}

func showLines(w io.Writer, sign, text string) {
	n := 0
	for line := range strings.Lines(text) {
		if n++; n > maxShownLines {
			fmt.Fprintf(w, "  %s (more lines)\n", sign)
			return
		}
		fmt.Fprintf(w, "  %s%s\n", sign, printable(strings.TrimSuffix(line, "\n")))
	}
}

// printable writes what cannot be seen as escapes, and shortens long lines.
func printable(line string) string {
	var b strings.Builder
	for len(line) > 0 && b.Len() < maxShownWidth {
		r, size := utf8.DecodeRuneInString(line)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, line[0])
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		line = line[size:]
	}
	if line != "" {
		fmt.Fprintf(&b, "… (%d bytes more)", len(line))
	}
	return b.String()
}

// commandLine returns how to run a difference by hand in the working folder.
func commandLine(d *difference) string {
	line := present
	for _, arg := range d.job.args() {
		line += " " + shellWord(arg)
	}
	if d.job.lines {
		line += " < " + inputPath(d)
	}
	return line
}

// shellWord quotes an argument for a shell where it needs it.
func shellWord(arg string) string {
	if strings.Trim(arg, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=") == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// inputPath is where the lines of a difference are kept.
func inputPath(d *difference) string {
	return filepath.Join("lines", strings.ReplaceAll(d.job.items[0].name, "/", "-"))
}

// keepDiffering leaves in the working folder only the inputs that differ, the
// configurations and the two builds.
func keepDiffering(folder string, differences []difference) error {
	keep := make(map[string]bool)
	for i := range differences {
		d := &differences[i]
		for _, it := range d.job.items {
			keep[it.name] = true
		}
		if !d.job.lines {
			continue
		}
		path := filepath.Join(folder, inputPath(d))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, d.input, 0o600); err != nil {
			return err
		}
	}
	return filepath.WalkDir(filepath.Join(folder, inputFolder), func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err == nil && !keep[name] {
			err = os.Remove(path)
		}
		return err
	})
}
