package filter

import (
	"fmt"

	"github.com/linkmilter/linkmilter/engine"
	"github.com/linkmilter/linkmilter/mime"
	"github.com/linkmilter/linkmilter/policy"
)

// Options configure a [Filter]. The zero value is what linkmilter does without
// a configuration.
type Options struct {
	// Engine selects how links are found. Its MaxLinks counts the links of a
	// whole message, and is 10,000 where it is zero.
	Engine engine.Options
	// Policy selects how links are judged.
	Policy policy.Options
	// Limits bound the work on a message and the size of the result.
	Limits Limits
	// Rules say what is done with which message: the first whose When matches
	// decides. Where there are none, [BuiltinRules] apply.
	Rules []Rule
}

// Limits bound the work on a message and the size of the result. A value of
// zero means the default.
type Limits struct {
	MIME    mime.Limits // depth, parts and octets of headers
	Message int         // octets of a message; a larger one is not read. Default 25 MiB
	Text    int         // bytes of a text in UTF-8; a longer one is judged and not edited. Default 4 MiB
	Result  int         // octets of an edited message; below the MTA's own limit, since Postfix bounces what a milter grew past it. Default 9,000,000
	Growth  int         // octets that an edit may add to a message. Default 5 MiB
}

// defaultLinks is how many links of a message are looked at.
const defaultLinks = 10_000

func (l Limits) withDefaults() (Limits, error) {
	for _, limit := range []struct {
		name     string
		value    *int
		fallback int
	}{
		{"Message", &l.Message, 25 << 20},
		{"Text", &l.Text, 4 << 20},
		{"Result", &l.Result, 9_000_000},
		{"Growth", &l.Growth, 5 << 20},
	} {
		switch {
		case *limit.value < 0:
			return l, fmt.Errorf("negative limit %s: %d", limit.name, *limit.value)
		case *limit.value == 0:
			*limit.value = limit.fallback
		}
	}
	return l, nil
}
