package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A confusableClass is the set of single characters and the prototype that
// look alike, as confusables.txt has them.
type confusableClass struct {
	prototype string
	members   []rune // the characters mapped to the prototype, and the prototype if it is one character
}

// writeConfusables writes the prototypes of UTS #39 §4 and, for each, the
// scripts that have a character or sequence in its class.
func writeConfusables(d release, out *source) error {
	classes, err := readConfusables(d.data)
	if err != nil {
		return err
	}
	scripts, err := readScripts(d.data)
	if err != nil {
		return err
	}
	valid, err := readHostValid(d.idna)
	if err != nil {
		return err
	}
	classOf := map[rune]uint16{}
	var text strings.Builder
	starts := []uint16{0}
	var sets []scriptSet
	setOf := make([]uint8, len(classes))
	for i, c := range classes {
		for _, r := range c.members {
			classOf[r] = uint16(i)
		}
		text.WriteString(c.prototype)
		if text.Len() > 0xffff {
			return errors.New("prototypes need more than 16 bits of offset")
		}
		starts = append(starts, uint16(text.Len()))
		set := scripts.lookalikes(c, valid)
		n := slices.Index(sets, set)
		if n < 0 {
			n = len(sets)
			sets = append(sets, set)
		}
		if n > 0xff {
			return errors.New("more than 256 sets of scripts")
		}
		setOf[i] = uint8(n)
	}
	keys := slices.Sorted(maps.Keys(classOf))
	cut, _ := slices.BinarySearch(keys, 0x10000)
	values := make([]uint16, len(keys))
	astral := make([]uint32, len(keys)-cut)
	for i, r := range keys {
		values[i] = classOf[r]
		if i >= cut {
			astral[i-cut] = uint32(r)
		}
	}
	out.words("confusableKeys", "confusableKeys are the characters of the BMP that have a class, sorted.", words(keys[:cut]))
	out.longs("confusableAstralKeys", "confusableAstralKeys are those beyond the BMP.", astral)
	out.words("confusableClasses", "confusableClasses are the classes of both lists of keys, in their order.", values)
	out.words("prototypeStarts", "prototypeStarts are the offsets of the prototypes of the classes in prototypes; one more at the end.", starts)
	out.text("prototypes", "prototypes are the prototypes of all classes.", text.String())
	out.bytes("prototypeScripts", "prototypeScripts are the scripts of the classes, as indices of prototypeSets.", setOf)
	out.sets("prototypeSets", "prototypeSets are the distinct sets of scripts of classes.", sets)
	return nil
}

// readConfusables reads confusables.txt as classes in the order of their
// prototypes.
func readConfusables(d data) ([]confusableClass, error) {
	members := map[string][]rune{}
	err := d.ranges("security/confusables.txt", func(lo, hi rune, fields []string) error {
		if lo != hi || len(fields) < 2 || fields[1] != "MA" {
			return errors.New("not one source character of table MA")
		}
		var prototype []rune
		for f := range strings.FieldsSeq(fields[0]) {
			r, err := parseRune(f)
			if err != nil {
				return err
			}
			prototype = append(prototype, r)
		}
		members[string(prototype)] = append(members[string(prototype)], lo)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var classes []confusableClass
	for p, m := range members {
		if rs := []rune(p); len(rs) == 1 {
			m = append(m, rs[0])
		}
		classes = append(classes, confusableClass{p, m})
	}
	slices.SortFunc(classes, func(a, b confusableClass) int { return cmp.Compare(a.prototype, b.prototype) })
	if len(classes) > 0xffff {
		return nil, fmt.Errorf("%d prototypes need more than 16 bits", len(classes))
	}
	return classes, nil
}

// readHostValid returns the characters that processing for hosts leaves as
// they are (UTS #46 §5).
func readHostValid(d data) ([]bool, error) {
	valid := make([]bool, runes)
	err := d.ranges("idna/IdnaMappingTable.txt", func(lo, hi rune, fields []string) error {
		for r := lo; r <= hi; r++ {
			valid[r] = fields[0] == "valid" || fields[0] == "deviation"
		}
		return nil
	})
	return valid, err
}

// lookalikes returns the scripts in which something looks like the class's prototype: the scripts
// of those members that are Allowed in identifiers and valid in a host, and of the prototype itself
// if all its characters are. Characters for any script (Common, Inherited) add no script.
func (s *scriptData) lookalikes(c confusableClass, valid []bool) scriptSet {
	var everywhere scriptSet
	for i, code := range s.codes {
		if code == "Zyyy" || code == "Zinh" {
			everywhere.add(i)
		}
	}
	var set scriptSet
	for _, r := range c.members {
		id := s.identities[r]
		if id.types&allowedTypes != 0 && valid[r] && !everywhere.has(id.script) {
			set = set.or(id.extensions)
		}
	}
	whole, letters := fullSet(), false
	for _, r := range c.prototype {
		id := s.identities[r]
		if id.types&allowedTypes == 0 || !valid[r] {
			return set
		}
		if everywhere.has(id.script) {
			continue
		}
		letters = true
		for i := range whole {
			whole[i] &= id.extensions[i]
		}
	}
	if letters {
		set = set.or(whole)
	}
	return set
}

// fullSet returns the set of all scripts.
func fullSet() scriptSet { return scriptSet{^uint64(0), ^uint64(0), ^uint64(0)} }
