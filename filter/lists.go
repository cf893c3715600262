package filter

import (
	"embed"

	"github.com/linkmilter/linkmilter/internal/wordlist"
)

//go:embed lists/*.txt
var listFiles embed.FS

// The lists of words that the stages use. Each file says what it has.
var (
	fileSuffixes  = readList("file_suffixes")
	listHosts     = readList("list_hosts")
	listLabels    = readList("list_labels")
	objects       = readList("program_objects")
	members       = readList("program_members")
	removedLinks  = readList("removed_link")
	sentenceWords = readList("sentence_words")
)

// robots returns the patterns for the addresses of programs.
func robots() []string {
	var patterns []string
	for pattern := range readList("robots").All() {
		patterns = append(patterns, pattern)
	}
	return patterns
}

// readList returns the list in a file below lists.
func readList(name string) *wordlist.List {
	text, err := listFiles.ReadFile("lists/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	return wordlist.MustParse(string(text))
}
