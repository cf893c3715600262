package config

import (
	"os"
	"slices"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/pattern"
	"github.com/linkmilter/linkmilter/internal/stream"
)

// maxLineProblems is how many bad lines of a file are reported.
const maxLineProblems = 10

// readLists reads the files that lists name, and notes each problem in them.
func (r *reader) readLists(f *File) {
	r.eachLine(f, func(at, line string, check func(string) error) {
		if path, ok := strings.CutPrefix(line, filePrefix); ok {
			r.readList(f, at, path, check)
		}
	})
	if path := f.Policy.BrandsFile; path != "" {
		r.readList(f, "policy.brands_file", path, protected)
	}
}

// eachLine calls visit for the elements of the lists of hosts and domains, each with its
// key and check.
func (r *reader) eachLine(f *File, visit func(at, line string, check func(string) error)) {
	list := func(at string, lines []string, check func(string) error) {
		for i, line := range lines {
			visit(element(at, i), line, check)
		}
	}
	list("policy.protected", f.Policy.Protected, protected)
	list("policy.allow", f.Policy.Allow, allowLine)
	list("policy.block", f.Policy.Block, hostLine)
	for i, u := range f.Rules {
		at := r.rules[i]
		list(at+".protected", u.Protected, protected)
		list(at+".allow", u.Allow, allowLine)
		list(at+".block", u.Block, hostLine)
	}
}

// readList reads a file that the key at names, and checks its lines.
func (r *reader) readList(f *File, at, path string, check func(string) error) {
	if r.troubled(at) {
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		r.problem(at, "%v", err)
		return
	}
	text, _ = stream.CutBOM(text)
	lines := []string{}
	number, bad := 0, 0
	for line := range strings.Lines(string(text)) {
		number++
		line, _, _ = strings.Cut(line, "#")
		line = strings.Join(strings.Fields(line), " ")
		if line == "" {
			continue
		}
		if err := check(line); err != nil {
			if bad++; bad <= maxLineProblems {
				r.problem(at, "file %q, line %d: %v", path, number, err)
			}
			continue
		}
		lines = append(lines, line)
	}
	if f.lists == nil {
		f.lists = make(map[string][]string)
	}
	f.lists[path] = lines
}

// listed returns a list with the lines of files in place of the elements that name them.
func (f *File) listed(list []string) []string {
	var all []string
	for _, line := range list {
		if path, ok := strings.CutPrefix(line, filePrefix); ok {
			all = append(all, f.lists[path]...)
		} else {
			all = append(all, line)
		}
	}
	return all
}

// rules returns the rules, with the lines of files in their lists.
func (f *File) rules() []rule.Rule {
	rules := slices.Clone(f.Rules)
	for i := range rules {
		u := &rules[i]
		u.Protected, u.Allow, u.Block = f.listed(u.Protected), f.listed(u.Allow), f.listed(u.Block)
	}
	return rules
}

// reviewDates warns of lines whose date is over.
func (r *reader) reviewDates(f *File) {
	today := time.Now().UTC().Format(time.DateOnly)
	isOver := func(line string) bool {
		if pattern.IsPair(line) {
			line = line[strings.LastIndexByte(line, '"')+len(`" from`):]
			line = strings.TrimSpace(line)
		}
		_, date, dated := strings.Cut(line, " ")
		return dated && date < today
	}
	r.eachLine(f, func(at, line string, _ func(string) error) {
		if isOver(line) {
			r.warn(at, "line %q: no effect since the date is over (want a later date, or no line)", line)
		}
		path, _ := strings.CutPrefix(line, filePrefix)
		if i := slices.IndexFunc(f.lists[path], isOver); i >= 0 {
			r.warn(at, "file %q: line %q has no effect since the date is over (want a later date, or no line)", path, f.lists[path][i])
		}
	})
}
