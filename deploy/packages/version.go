package main

import (
	"fmt"
	"regexp"
	"strings"
)

// A version is the version of a package. Before is a pre-release such as rc1; After is what follows
// the tag.
type version struct{ Number, Before, After string }

var (
	untagged = regexp.MustCompile(`^[0-9a-f]{7,}$`)
	tagged   = regexp.MustCompile(`^v?(\d+(?:\.\d+)*)(?:-([0-9A-Za-z.]*[A-Za-z][0-9A-Za-z.]*))??(?:-(\d+)-g([0-9a-f]+))?$`)
)

// parseVersion reads a version as git describe writes it. A commit without a tag before it
// is older than every release.
func parseVersion(described string) (version, error) {
	text, dirty := strings.CutSuffix(described, "-dirty")
	m := tagged.FindStringSubmatch(text)
	switch {
	case untagged.MatchString(text):
		return version{Number: "0", After: after("0", text, dirty)}, nil
	case m == nil:
		return version{}, fmt.Errorf("version %q: not one of git describe (want v1.2.3)", described)
	}
	return version{Number: m[1], Before: m[2], After: after(m[3], m[4], dirty)}, nil
}

// after joins the number of commits since the tag, the commit, and the mark of changes.
func after(commits, commit string, dirty bool) string {
	var parts []string
	if commit != "" {
		parts = append(parts, commits+".g"+commit)
	}
	if dirty {
		parts = append(parts, "dirty")
	}
	return strings.Join(parts, ".")
}

// String returns the version in the form of Debian and RPM: a tilde sorts before, a plus
// sign after.
func (v version) String() string {
	text := v.Number
	if v.Before != "" {
		text += "~" + v.Before
	}
	if v.After != "" {
		text += "+" + v.After
	}
	return text
}
