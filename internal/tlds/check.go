package tlds

import (
	"fmt"
	"slices"
	"time"

	"github.com/linkmilter/linkmilter/engine/tld"
)

// What a list must be like to replace another. IANA's list has grown and
// shrunk by a few dozen names a year; bounds far above that let every real
// list pass and stop what is none.
const (
	// minNames is the number of names below which no list is believed: IANA's
	// has had more than 1,400 for years.
	minNames = 1000
	// maxRemoved is the share of the names at hand, in percent, that a new list
	// may lack.
	maxRemoved = 5
	// maxRemovedBuiltin is the same for the built-in names, so that lists which
	// lose a little each day are stopped as well.
	maxRemovedBuiltin = 20
	// maxFuture is how far ahead of this machine's clock a list may be dated.
	maxFuture = 7 * 24 * time.Hour
	// builtinSlack is how much older than the built-in list, whose date is that of
	// another publication, a list may be and still be preferred.
	builtinSlack = 7 * 24 * time.Hour
)

// mustHave are names without which a list is not that of the root zone.
var mustHave = []string{"arpa", "com", "net", "org"}

// check says why a list that was read should not be believed, or nil.
func check(next *List, now time.Time) error {
	if n := next.Set.Len(); n < minNames {
		return fmt.Errorf("the list has only %d names, fewer than %d", n, minNames)
	}
	for _, name := range mustHave {
		if !next.Set.Contains(name) {
			return fmt.Errorf("the list lacks %q", name)
		}
	}
	if next.Updated.Sub(now) > maxFuture {
		return fmt.Errorf("the list is of %s, in the future", next.Updated.Format(time.DateOnly))
	}
	return checkRemoved(next, Builtin(), "the built-in list", maxRemovedBuiltin)
}

// checkReplaces says why a list should not replace the one at hand, or nil.
func checkReplaces(next, current *List) error {
	older := next.Updated.Before(current.Updated)
	if current.Origin == OriginBuiltin {
		older = tooOld(next, current)
	}
	if older {
		return fmt.Errorf("the list is of %s, older than the one at hand of %s",
			next.Updated.Format(time.DateTime), current.Updated.Format(time.DateTime))
	}
	if more, had := len(missing(current.Set, next.Set)), current.Set.Len(); more > had {
		return fmt.Errorf("%d names would come to the %d at hand", more, had)
	}
	return checkRemoved(next, current, "the list at hand", maxRemoved)
}

func checkRemoved(next, previous *List, what string, percent int) error {
	had, lost := previous.Set.Len(), len(missing(next.Set, previous.Set))
	if lost*100 > had*percent {
		return fmt.Errorf("%d of the %d names of %s are missing, more than %d %%", lost, had, what, percent)
	}
	return nil
}

// missing returns the names that a set lacks and another one has, sorted.
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
