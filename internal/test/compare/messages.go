package main

import "strings"

// generateMessage returns message number i: the same for the same seed.
func generateMessage(seed uint64, i int) []byte {
	r := source("message", seed, i)
	message := header(r, i) + entity(r, 0)
	if !chance(r, 40) {
		message = strings.ReplaceAll(message, "\r\n", "\n")
	}
	raw := []byte(message)
	if odds(r, 35) {
		raw = broken(r, raw)
	}
	return raw
}

// broken damages a message in one place.
func broken(r *gen, raw []byte) []byte {
	at := r.IntN(len(raw))
	insert := func(text string) []byte { return append(raw[:at:at], append([]byte(text), raw[at:]...)...) }
	switch r.IntN(9) {
	case 0:
		return raw[:at]
	case 1:
		return append(raw[:at:at], raw[min(at+1+r.IntN(20), len(raw)):]...)
	case 2:
		return insert("\x00")
	case 3:
		return insert("\r")
	case 4:
		return insert("\n\n")
	case 5:
		return insert(string([]byte{byte(r.IntN(256)), byte(r.IntN(256))}))
	case 6:
		return insert("\r\nContent-Type: text/html\r\n")
	case 7:
		return append([]byte(pick(r, []string{"From a@b Tue\n", "\n", " x\n", "no field\n", bom, "Subject : x\n", ">From x\n"})), raw...)
	}
	return insert(strings.Repeat("x", 1200))
}
