package config

import (
	"reflect"

	"github.com/linkmilter/linkmilter/filter/rule"
)

// A Review is what people should know about a file.
type Review struct {
	File     *File         // nil: the file is bad
	Rules    []RuleInForce // of a good file
	Warnings Problems      // what does not do what its author may expect
}

// A RuleInForce is a rule that decides about mail.
type RuleInForce struct {
	Name string
	Line int // of the file; 0: a built-in rule
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
	review := &Review{File: file, Warnings: r.warnings.sorted()}
	if file != nil {
		review.Rules = r.rulesInForce(file)
	}
	return review, err
}

// rulesInForce returns the rules in the order in which linkmilter tries them. The last
// one takes all mail.
func (r *reader) rulesInForce(file *File) []RuleInForce {
	var list []RuleInForce
	for i, u := range file.Rules {
		in := RuleInForce{Name: u.Name}
		if i < r.own {
			in.Line = r.places.find(element("rule", i)).line
		}
		list = append(list, in)
		if reflect.ValueOf(u.When).IsZero() {
			return list // no message gets past it
		}
	}
	builtin := rule.Builtin()
	return append(list, RuleInForce{Name: builtin[len(builtin)-1].Name})
}
