package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// writeEmoji writes the RGI emoji sequences (UTS #51) that have invisible characters:
// joiners, variation selectors or tags. All other sequences consist of characters that
// are shown one by one. Those that begin with # or * are left out.
func writeEmoji(d release, out *source) error {
	invisible := make([]bool, runes)
	err := d.ranges("ucd/DerivedCoreProperties.txt", func(lo, hi rune, fields []string) error {
		for r := lo; r <= hi; r++ {
			invisible[r] = invisible[r] || fields[0] == "Default_Ignorable_Code_Point"
		}
		return nil
	})
	if err != nil {
		return err
	}
	var list []string
	for _, file := range emojiFiles {
		err := d.sequences(file, func(s string) {
			isInvisible := func(r rune) bool { return invisible[r] }
			if strings.ContainsFunc(s, isInvisible) && s[0] != '#' && s[0] != '*' {
				list = append(list, s)
			}
		})
		if err != nil {
			return err
		}
	}
	slices.Sort(list)
	longest := 0
	for _, s := range list {
		longest = max(longest, len([]rune(s)))
	}
	out.printf("\n// MaxEmojiSequence is the number of characters of the longest [IsEmojiSequence].\nconst MaxEmojiSequence = %d\n", longest)
	out.text("emojiSequences", "emojiSequences are the sequences, sorted, with a space between.", strings.Join(list, " "))
	return nil
}

// emojiFiles have the RGI emoji sequences.
var emojiFiles = []string{"emoji/emoji-sequences.txt", "emoji/emoji-zwj-sequences.txt"}

// hasEmoji reports whether the files of emoji are there. The drafts lack them.
func (d data) hasEmoji() bool {
	_, err := os.Stat(filepath.Join(string(d), emojiFiles[0]))
	return err == nil
}

// sequences hands each sequence of a file of emoji to f. Lines with a range of code
// points are left out, since they have no sequences.
func (d data) sequences(file string, f func(s string)) error {
	r, err := os.Open(filepath.Join(string(d), file))
	if err != nil {
		return err
	}
	defer r.Close()
	sc := bufio.NewScanner(r)
	for n := 1; sc.Scan(); n++ {
		line, _, _ := strings.Cut(sc.Text(), "#")
		points, _, ok := strings.Cut(line, ";")
		if !ok || strings.Contains(points, "..") {
			continue
		}
		s, err := parseText(points)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, n, err)
		}
		f(s)
	}
	return sc.Err()
}
