package config

import (
	"fmt"
	"os"
	"slices"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/stream"
)

// Load reads and validates the file at path. The error is [Problems] with all
// problems of the file, or that of reading it.
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
	r.own = len(file.Rules)
	r.readLists(&file)
	file.Rules = inForce(file.Rules, file.BuiltinRules)
	if _, milter := r.places["milter"]; !milter && r.places.below("content_filter") {
		file.Milter.Listen = nil // the file configures the content filter only
	}
	if r.places != nil {
		// Also after other problems, so that all are reported at once.
		r.validate(&file)
		r.review(&file)
	}
	if len(r.problems) > 0 {
		return nil, r.problems.sorted()
	}
	return &file, nil
}

// inForce returns the rules of a file and the built-in ones that apply behind them.
func inForce(own []rule.Rule, keep bool) []rule.Rule {
	if len(own) == 0 {
		return rule.Builtin()
	}
	if !keep {
		return own
	}
	rules := slices.Clone(own)
	for _, builtin := range rule.Builtin() {
		replaced := func(r rule.Rule) bool { return r.Name == builtin.Name }
		if !slices.ContainsFunc(own, replaced) {
			rules = append(rules, builtin)
		}
	}
	return rules
}
