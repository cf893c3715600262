package calendar

import (
	"slices"
	"strings"
)

// maxNames and maxAddresses bound the names and e-mail addresses of a card that are remembered.
const (
	maxNames     = 16
	maxAddresses = 64
)

// A card has the names of a vCard, and the e-mail addresses that programs show with them.
type card struct {
	names, addresses []cardValue
	leftOut          bool // some names or addresses of some card were left out
}

// A cardValue is the value of a property, with its place in the source.
type cardValue struct {
	value      string
	start, end int
}

// note records a name or an address of the card, and reports whether the property begins or ends a
// card.
func (c *card) note(p *property, value string, start, end int) bool {
	v := cardValue{strings.TrimSpace(value), start, end}
	switch p.name {
	case "BEGIN", "END":
		return strings.EqualFold(v.value, "VCARD")
	case "FN":
		c.add(&c.names, v, maxNames)
	case "EMAIL":
		c.add(&c.addresses, v, maxAddresses)
	}
	return false
}

// add adds a value that is new.
func (c *card) add(values *[]cardValue, v cardValue, limit int) {
	switch {
	case v.value == "" || hasValue(*values, v.value):
	case len(*values) == limit:
		c.leftOut = true
	default:
		*values = append(*values, v)
	}
}

// finish calls give for each address of the card with each of its names, and then clears the card.
// If a name is itself one of the addresses, it still is a name for the other addresses.
func (c *card) finish(give func(address cardValue, name string)) {
	for _, name := range c.names {
		if hasValue(c.addresses, name.value) {
			continue
		}
		for _, address := range c.addresses {
			give(address, name.value)
		}
	}
	c.names, c.addresses = c.names[:0], c.addresses[:0]
}

func hasValue(values []cardValue, value string) bool {
	return slices.ContainsFunc(values, func(v cardValue) bool { return strings.EqualFold(v.value, value) })
}
