package config

import (
	"reflect"

	"github.com/linkmilter/linkmilter/filter/rule"
)

// A Review has what people should know about a configuration file.
type Review struct {
	File     *File    // nil if the file is bad
	Warnings Problems // values that may not do what their author expects
}

// A RuleInForce is a rule that decides about mail.
type RuleInForce struct {
	Name  string
	Words string // for which messages it decides, and what it does
	Line  int    // line of the file; 0 for a built-in rule
}

// Check is Load for people who write the file. A bad file has a review, too, with
// the warnings about its good parts.
func Check(path string) (*Review, error) {
	document, err := readFile(path)
	if err != nil {
		return nil, err
	}
	r := &reader{name: path}
	file, err := parse(r, document)
	return &Review{File: file, Warnings: r.warnings.sorted()}, err
}

// Warnings returns the warnings about a good file: values that may not do what their author
// expects.
func (f *File) Warnings() Problems { return f.warnings }

// RulesInForce returns the rules in the order in which linkmilter tries them. The last one
// takes all mail.
func (f *File) RulesInForce() []RuleInForce {
	var list []RuleInForce
	for i, u := range f.Rules {
		in := RuleInForce{Name: u.Name, Words: words(u, &f.Service)}
		if i < len(f.ruleLines) {
			in.Line = f.ruleLines[i]
		}
		list = append(list, in)
		if reflect.ValueOf(u.When).IsZero() {
			return list // no message gets past it
		}
	}
	builtin := rule.Builtin()
	last := builtin[len(builtin)-1]
	return append(list, RuleInForce{Name: last.Name, Words: words(last, &f.Service)})
}
