package tlds

import (
	"fmt"
	"slices"
	"time"

	"github.com/linkmilter/linkmilter/engine/tld"
)

// Limits for a list to replace another. IANA's list grows and shrinks by a few dozen
// names a year. The limits are far above that: they accept every real list and
// reject other files.
const (
	// minNames is the smallest number of names that a list may have. IANA's has had more than 1,400
	// for years.
	minNames = 1000
	// maxRemoved is the share of the current names, in percent, that a new list
	// may lack.
	maxRemoved = 5
	// maxRemovedBuiltin is the share of the built-in names that a list may lack. It rejects lists
	// that lose a few names each day.
	maxRemovedBuiltin = 20
	// maxFuture is how far the date of a list may be ahead of this machine's clock.
	maxFuture = 7 * 24 * time.Hour
	// builtinSlack is by how much a list may be older than the built-in one and still be preferred.
	// It is not zero because the built-in list has the date of another publication.
	builtinSlack = 7 * 24 * time.Hour
)

// mustHave are names that every list of the root zone has.
var mustHave = []string{"arpa", "com", "net", "org"}

// check returns an error if a list does not look like IANA's.
func check(next *List, now time.Time) error {
	if n := next.Set.Len(); n < minNames {
		return fmt.Errorf("the list has %d names, fewer than %d", n, minNames)
	}
	for _, name := range mustHave {
		if !next.Set.Contains(name) {
			return fmt.Errorf("the list lacks %q", name)
		}
	}
	if next.Updated.Sub(now) > maxFuture {
		return fmt.Errorf("the list is dated %s, in the future", next.Updated.Format(time.DateOnly))
	}
	return checkRemoved(next, Builtin(), "the built-in list", maxRemovedBuiltin)
}

// checkReplaces returns an error if a list must not replace the current one.
func checkReplaces(next, current *List) error {
	older := next.Updated.Before(current.Updated)
	if current.Origin == OriginBuiltin {
		older = tooOld(next, current)
	}
	if older {
		return fmt.Errorf("the list is dated %s, older than the current one of %s",
			next.Updated.Format(time.DateTime), current.Updated.Format(time.DateTime))
	}
	if more, had := len(missing(current.Set, next.Set)), current.Set.Len(); more > had {
		return fmt.Errorf("the list adds %d names to the current %d, too many", more, had)
	}
	return checkRemoved(next, current, "the current list", maxRemoved)
}

func checkRemoved(next, previous *List, what string, percent int) error {
	had, lost := previous.Set.Len(), len(missing(next.Set, previous.Set))
	if lost*100 > had*percent {
		return fmt.Errorf("the list lacks %d of the %d names of %s, more than %d %%", lost, had, what, percent)
	}
	return nil
}

// missing returns the names that are in one set but not in the other, sorted.
func missing(from, in *tld.Set) []string {
	var names []string
	for name := range in.All() {
		if !from.Contains(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// tooOld reports whether the built-in list is clearly newer than a list.
func tooOld(l, builtin *List) bool {
	return builtin.Updated.Sub(l.Updated) > builtinSlack
}
