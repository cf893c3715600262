//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A judge checks the changes and the final reply that a message got.
type judge func(m *mail, changes []change, final byte) error

// same compares a message with the wanted one. Milters may end lines with LF.
func same(want, got []byte) error {
	want, got = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n")), bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n"))
	if bytes.Equal(want, got) {
		return nil
	}
	at := 0
	for at < len(want) && at < len(got) && want[at] == got[at] {
		at++
	}
	return fmt.Errorf("another message from byte %d on: %q, want %q", at, excerpt(got, at), excerpt(want, at))
}

// excerpt returns what begins at a byte, up to a length that can be read.
func excerpt(b []byte, at int) []byte {
	const length = 80
	return b[at:min(len(b), at+length)]
}

// untouched checks that a milter accepts a message and asks for no change.
func untouched(_ *mail, changes []change, final byte) error {
	if final != accept && final != goOn || len(changes) > 0 {
		return fmt.Errorf("final reply %q with %d changes, want none", final, len(changes))
	}
	return nil
}

// adds returns a judge for a milter that adds a field whose value has a text, and does not
// change the body.
func adds(name, text string) judge {
	return func(_ *mail, changes []change, final byte) error {
		if final != accept && final != goOn {
			return fmt.Errorf("final reply %q", final)
		}
		found := false
		for _, c := range changes {
			if c.code == replaceBody {
				return errors.New("the body was replaced")
			}
			found = found || (c.code == insertHeader || c.code == addHeader) && strings.EqualFold(c.name, name) && strings.Contains(c.value, text)
		}
		if !found {
			return fmt.Errorf("no field %s with %q", name, text)
		}
		return nil
	}
}

// keepsBody checks that a milter answers and does not change the body, whatever its verdict.
func keepsBody(_ *mail, changes []change, final byte) error {
	if !strings.ContainsRune("acrtdy", rune(final)) {
		return fmt.Errorf("final reply %q", final)
	}
	if slices.ContainsFunc(changes, func(c change) bool { return c.code == replaceBody }) {
		return errors.New("the body was replaced")
	}
	return nil
}
