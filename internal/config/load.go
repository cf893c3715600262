package config

import (
	"fmt"
	"os"
	"slices"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/stream"
)

// Load reads and validates the file at path. The error is [Problems] with all problems of the file,
// or the error of reading it.
func Load(path string) (*File, error) { return load(path, true) }

// LoadWithoutKeys is Load for commands that do not sign: their user may not be
// allowed to read the DKIM keys.
func LoadWithoutKeys(path string) (*File, error) { return load(path, false) }

func load(path string, keys bool) (*File, error) {
	document, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return parse(&reader{name: path, withoutKeys: !keys}, document)
}

func readFile(path string) ([]byte, error) {
	document, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	return document, nil
}

// Parse reads and validates a document. Errors name it as name. The error is
// [Problems].
func Parse(name string, document []byte) (*File, error) {
	return parse(&reader{name: name}, document)
}

func parse(r *reader, document []byte) (*File, error) {
	if stream.IsUTF16(document) {
		r.problem("", "is in UTF-16 (want UTF-8)")
		return nil, r.problems
	}
	document, _ = stream.CutBOM(document)
	file := Default()
	// Rules of a file replace the built-in ones: none of their values remain.
	file.Rules = nil
	r.decode(document, &file)
	r.arrange(&file)
	r.readLists(&file)
	if _, milter := r.places["milter"]; !milter && r.places.below("content_filter") {
		file.Milter.Listen = nil // the file configures the content filter only
	}
	if r.places != nil {
		// This runs even after other problems, so that all are reported at once.
		r.validate(&file)
		r.review(&file)
	}
	if len(r.problems) > 0 {
		return nil, r.problems.sorted()
	}
	file.warnings = r.warnings.sorted()
	return &file, nil
}

// arrange puts the rules in the order in which they are tried. Built-in rules apply if the file has
// none, or if it keeps them: then a rule of the file that has the name of a built-in rule replaces
// it, and all other rules of the file come first.
func (r *reader) arrange(f *File) {
	own, builtin := f.Rules, rule.Builtin()
	isNamed := func(name string) func(rule.Rule) bool {
		return func(u rule.Rule) bool { return u.Name == name }
	}
	f.Rules = nil
	add := func(path string, u rule.Rule) {
		f.Rules, r.rules = append(f.Rules, u), append(r.rules, path)
		f.ruleLines = append(f.ruleLines, r.places.find(path).line)
	}
	keep := f.BuiltinRules || len(own) == 0
	for i, u := range own {
		if !keep || !slices.ContainsFunc(builtin, isNamed(u.Name)) {
			add(element("rule", i), u)
		}
	}
	if !keep {
		return
	}
	for _, b := range builtin {
		if !slices.ContainsFunc(own, isNamed(b.Name)) {
			add("", b)
		}
		for i, u := range own {
			if u.Name == b.Name {
				add(element("rule", i), u)
			}
		}
	}
}
