package mime

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/emersion/go-message/charset"

	"github.com/linkmilter/linkmilter/internal/percent"
)

// A paramSet collects parameters. It has an index if there are many, so that a hostile
// message cannot cause a quadratic search.
type paramSet struct {
	params parameters
	known  map[string]int
}

// manyParams is how many parameters are searched without an index.
const manyParams = 16

func (s *paramSet) index(name string) int {
	if s.known == nil {
		return s.params.index(name)
	}
	if i, ok := s.known[name]; ok {
		return i
	}
	return -1
}

// set adds a parameter, or changes its value.
func (s *paramSet) set(name, value string) {
	if i := s.index(name); i >= 0 {
		s.params[i].value = value
		return
	}
	s.params = append(s.params, parameter{name, value})
	if s.known != nil {
		s.known[name] = len(s.params) - 1
	} else if len(s.params) > manyParams {
		s.known = make(map[string]int)
		for i, p := range s.params {
			s.known[p.name] = i
		}
	}
}

// combine returns the parameters by name with the continuations and encodings of
// RFC 2231 resolved, and the reasons for doubt about them. The extended form of a name
// takes precedence over the plain one, otherwise the first one counts.
func combine(params []param) (values parameters, doubts []Reason) {
	if len(params) == 0 {
		return nil, nil
	}
	set := paramSet{params: make(parameters, 0, min(len(params), manyParams))}
	var extended []param
	for _, p := range params {
		switch {
		case p.name == "boundary" && (p.escaped || p.commented):
			doubts = append(doubts, reasonInvalidBoundary)
		case p.escaped && decides(p.name):
			doubts = append(doubts, reasonMalformedContentType)
		}
		if strings.Contains(p.name, "*") {
			extended = append(extended, p)
			continue
		}
		if i := set.index(p.name); i < 0 {
			set.set(p.name, p.value)
		} else if !sameParameter(p.name, set.params[i].value, p.value) || slices.Contains(doubts, reasonRepeatedField) {
			doubts = append(doubts, duplicate(p.name))
		} else if decides(p.name) {
			doubts = append(doubts, reasonRepeatedField)
		}
	}
	if len(extended) > 0 {
		doubts = append(doubts, combineExtended(&set, extended)...)
	}
	return set.params, doubts
}

// combineExtended adds parameters in the syntax of RFC 2231 to a set. A name in
// both forms is good practice for file names (RFC 6266 §4.3) and nowhere else.
func combineExtended(set *paramSet, extended []param) (doubts []Reason) {
	sections := make(map[string]string, len(extended))
	for _, p := range extended {
		base, _, _ := strings.Cut(p.name, "*")
		if first, twice := sections[p.name]; !twice {
			sections[p.name] = p.value
		} else if first != p.value {
			doubts = append(doubts, duplicate(base))
		}
		if decides(base) {
			doubts = append(doubts, reasonExtendedParameter)
			if set.index(base) >= 0 {
				doubts = append(doubts, duplicate(base))
			}
		}
	}
	joined := make(map[string]bool)
	for _, p := range extended {
		base, section, _ := strings.Cut(p.name, "*")
		if (section == "" || section == "0" || section == "0*") && !joined[base] {
			joined[base] = true
			set.set(base, decodeExtended(base, sections))
		}
	}
	return doubts
}

// decides reports whether a parameter of Content-Type decides how a part is
// read.
func decides(name string) bool {
	return name == "boundary" || name == "charset" || name == "format" || name == "delsp"
}

func duplicate(name string) Reason {
	if name == "boundary" {
		return reasonDuplicateBoundary
	}
	return reasonDuplicateParameter
}

// decodeExtended joins the sections of one parameter (RFC 2231 §3, §4). If it cannot decode the value
// it returns the written one, so that a named part keeps a name.
func decodeExtended(base string, sections map[string]string) string {
	if value, ok := sections[base+"*"]; ok {
		label, text := cutCharset(value)
		return toUTF8(label, percent.Decode(text))
	}
	var data strings.Builder
	var label string
	for n := 0; ; n++ {
		name := base + "*" + strconv.Itoa(n)
		if value, ok := sections[name+"*"]; ok {
			if n == 0 {
				label, value = cutCharset(value)
			}
			data.WriteString(percent.Decode(value))
			continue
		}
		value, ok := sections[name]
		if !ok {
			return toUTF8(label, data.String())
		}
		data.WriteString(value)
	}
}

// cutCharset splits charset'language'text.
func cutCharset(value string) (label, text string) {
	label, rest, ok := strings.Cut(value, "'")
	if !ok {
		return "", value
	}
	if _, text, ok = strings.Cut(rest, "'"); !ok {
		return "", value
	}
	return label, text
}

// toUTF8 decodes s from the charset called label, or returns s if it cannot.
func toUTF8(label, s string) string {
	if label == "" {
		return s
	}
	r, err := charset.Reader(label, strings.NewReader(s))
	if err != nil {
		return s
	}
	decoded, err := io.ReadAll(r)
	if err != nil {
		return s
	}
	return string(decoded)
}
