package main

import (
	"slices"
	"testing"
)

// TestCorpora: a corpus is the same each time, and holds the links it is
// meant to hold.
func TestCorpora(t *testing.T) {
	all, err := detectors()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(d detector) bool { return d.name == "linkmilter" })
	for _, c := range corpora {
		text := c.make(200_000)
		if again := c.make(200_000); !slices.Equal(text.messages, again.messages) {
			t.Errorf("corpus %s differs when made again", c.name)
		}
		links := 0
		for _, m := range text.messages {
			links += all[i].count(m)
		}
		least, most := map[string]int{"a": 0, "b": 350, "c": 200}[c.name], map[string]int{"a": 0, "b": 450, "c": 600}[c.name]
		if links < least || links > most {
			t.Errorf("corpus %s holds %d links, want %d to %d", c.name, links, least, most)
		}
	}
}

// TestMeasure: every detector runs and takes some time.
func TestMeasure(t *testing.T) {
	all, err := detectors()
	if err != nil {
		t.Fatal(err)
	}
	text := corpora[1].make(20_000)
	for _, d := range all {
		if took, _ := measure(d, text, 1); took <= 0 {
			t.Errorf("%s: %v", d.name, took)
		}
	}
}
