package config

import (
	"slices"
	"strings"
	"time"

	"github.com/linkmilter/linkmilter/filter/rule"
	"github.com/linkmilter/linkmilter/internal/lists"
)

// Sources returns the lists of the file.
func (f *File) Sources() []lists.Source {
	var all []lists.Source
	for i := range f.Lists {
		all = append(all, f.Lists[i].source())
	}
	return all
}

func (l *List) source() lists.Source {
	return lists.Source{
		Name: l.Name, URL: l.URL, File: l.File, Format: lists.Format(l.Format), Column: l.Column, Match: lists.Match(l.Match), Means: lists.Meaning(l.Means),
		Severity: l.Severity, Age: time.Duration(l.MaxAge) * 24 * time.Hour, Every: time.Duration(l.Every), MaxSize: int64(l.MaxSize), Rules: l.Rules,
	}
}

// validateLists notes lists that cannot be used.
func (r *reader) validateLists(f *File) {
	for i := range f.Lists {
		l, at := &f.Lists[i], element("list", i)
		if r.troubled(at) {
			continue
		}
		source := l.source()
		switch err := source.Validate(); {
		case err != nil:
			text := err.Error()
			if key, rest, found := strings.Cut(text, ": "); found && slices.Contains(placesOf(key), "list."+key) {
				at, text = at+"."+key, rest
			}
			r.problem(at, "%s", text)
		case l.MaxAge < 0:
			r.problem(at+".max_age_days", "number %d: too low (want at least 0)", l.MaxAge)
		case slices.ContainsFunc(f.Lists[:i], func(other List) bool { return strings.EqualFold(other.Name, l.Name) }):
			r.problem(at+".name", "name %q: used by a list above (want another name)", l.Name)
		}
		for j, name := range l.Rules {
			if !slices.ContainsFunc(f.Rules, func(u rule.Rule) bool { return u.Name == name }) {
				r.problem(element(at+".rules", j), "rule %q: not in the file (want the name of a rule)", name)
			}
			if slices.ContainsFunc(f.Rules, func(u rule.Rule) bool { return u.Name == name && len(u.When.Findings) > 0 }) {
				r.problem(element(at+".rules", j), "rule %q: has when.findings, and is chosen after lists are asked (want a rule that decides without findings)", name)
			}
		}
	}
}
