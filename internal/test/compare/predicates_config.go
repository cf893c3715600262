package main

import (
	"regexp"
	"slices"
	"strings"
)

// configWording: the problems of a configuration are at the same places and about the
// same keys, in other words.
func configWording(j *judgement) bool {
	before, after := problemPlaces(j.change.old), problemPlaces(j.change.new)
	return len(before) > 0 && slices.Equal(before, after)
}

var problemPlace = regexp.MustCompile(`^(?:linkmilter: )?(\S+:\d+:\d+: [^:]+): .`)

// problemPlaces returns the file, line, column and key of each line that is a problem,
// nil where a line is not.
func problemPlaces(text string) []string {
	var places []string
	for line := range strings.Lines(text) {
		m := problemPlace.FindStringSubmatch(line)
		if m == nil {
			return nil
		}
		places = append(places, m[1])
	}
	return places
}
