// Package wordlist reads the lists that are compiled into the program: domains, words, suffixes. A
// list is a text with one entry on each line: a word, perhaps followed by white space and a value.
// Lines that begin with "#" are comments. Two comments are required, the source of the list and its
// date:
//
//	# Source: chosen by hand
//	# Date: 2026-11-21
package wordlist

import (
	"embed"
	"fmt"
	"iter"
	"strings"
	"time"
)

// A List has words with values. It does not change.
type List struct {
	words  []string // in the order of the text
	values map[string]string
}

// Parse reads a list. It returns an error for a list without words, source or
// date, and for a word that is there twice or has upper-case letters.
func Parse(text string) (*List, error) {
	l := &List{values: make(map[string]string)}
	var source, date string
	for line := range strings.Lines(text) {
		if comment, ok := strings.CutPrefix(line, "#"); ok {
			key, value, _ := strings.Cut(strings.TrimSpace(comment), ": ")
			switch key {
			case "Source":
				source = value
			case "Date":
				date = value
			}
			continue
		}
		word, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if word == "" {
			continue
		}
		if _, twice := l.values[word]; twice || word != strings.ToLower(word) {
			return nil, fmt.Errorf("word %q: twice in the list, or not in lower case", word)
		}
		l.words = append(l.words, word)
		l.values[word] = strings.TrimSpace(value)
	}
	if _, err := time.Parse(time.DateOnly, date); err != nil || source == "" || len(l.words) == 0 {
		return nil, fmt.Errorf("list with source %q, date %q, %d words: incomplete", source, date, len(l.words))
	}
	return l, nil
}

// MustParse reads a list that is part of the program. It panics on an error.
func MustParse(text string) *List {
	l, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return l
}

// MustRead reads a list in a file that is part of the program. It panics on an error.
func MustRead(files embed.FS, name string) *List {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return MustParse(string(text))
}

// All returns the words with their values, in the order of the text.
func (l *List) All() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, word := range l.words {
			if !yield(word, l.values[word]) {
				return
			}
		}
	}
}

// Where returns the list of those words for which keep returns true.
func (l *List) Where(keep func(word, value string) bool) *List {
	kept := &List{values: make(map[string]string)}
	for word, value := range l.All() {
		if keep(word, value) {
			kept.words = append(kept.words, word)
			kept.values[word] = value
		}
	}
	return kept
}

// Has reports whether the word is in the list.
func (l *List) Has(word string) bool {
	_, ok := l.values[word]
	return ok
}

// Value returns the value of the word; "" if it has none or is not in the list.
func (l *List) Value(word string) string { return l.values[word] }

// Marked reports whether the mark is one of the fields of the word's value.
func (l *List) Marked(word, mark string) bool {
	for field := range strings.FieldsSeq(l.values[word]) {
		if field == mark {
			return true
		}
	}
	return false
}
