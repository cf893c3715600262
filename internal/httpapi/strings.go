package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"unicode/utf8"
)

// readStrings reads a JSON object whose only key has a list of strings: at least one and at most
// most. json.Unmarshal would accept equal keys, keys in another case and null as a string, and take
// memory for a list of any length.
func readStrings(raw []byte, key string, most int) ([]string, error) {
	list, err := parseStrings(raw, key, most)
	switch {
	case err != nil:
		return nil, problemf(http.StatusBadRequest, "not valid: %s (want {%q: [\"https://example.com/\"]})", err, key)
	case len(list) == 0:
		return nil, problemf(http.StatusBadRequest, "no link (want at least one)")
	case len(list) > most:
		return nil, problemf(http.StatusRequestEntityTooLarge, "too many links (want at most %d, limits.links)", most)
	}
	return list, nil
}

// parseStrings is readStrings for a list of any length. It stops at the first string beyond
// most.
func parseStrings(raw []byte, key string, most int) ([]string, error) {
	if !utf8.Valid(raw) {
		return nil, errors.New("not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if err := expect(d, json.Delim('{'), key, json.Delim('[')); err != nil {
		return nil, err
	}
	var list []string
	for d.More() {
		token, err := next(d)
		if err != nil {
			return nil, err
		}
		text, ok := token.(string)
		if !ok {
			return nil, fmt.Errorf("%s[%d]: not a string", key, len(list))
		}
		if list = append(list, text); len(list) > most {
			return list, nil
		}
	}
	if err := expect(d, json.Delim(']'), json.Delim('}')); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more behind the object")
	}
	return list, nil
}

// expect reads tokens, and returns an error if they are not the expected ones.
func expect(d *json.Decoder, want ...json.Token) error {
	for _, w := range want {
		switch token, err := next(d); {
		case err != nil:
			return err
		case token != w:
			if token == nil {
				token = "null"
			}
			return fmt.Errorf("%q instead of %q", fmt.Sprint(token), fmt.Sprint(w))
		}
	}
	return nil
}

// next returns the next token.
func next(d *json.Decoder) (json.Token, error) {
	token, err := d.Token()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return token, err
}
