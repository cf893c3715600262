package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// writingSystems are the augmented script values of UTS #39 §5.1, which no
// character has as its script.
var writingSystems = [][2]string{
	{"Hanb", "Han with Bopomofo"},
	{"Jpan", "Japanese"},
	{"Kore", "Korean"},
}

// identifierTypes are the values of Identifier_Type in the order of the bits
// of ucd.IdentifierType.
var identifierTypes = []string{
	"Recommended", "Inclusion", "Limited_Use", "Uncommon_Use", "Technical", "Obsolete",
	"Exclusion", "Not_XID", "Not_NFKC", "Default_Ignorable", "Deprecated", "Not_Character",
}

// allowedTypes are those that make a character Allowed (UTS #39 §3.1); the
// generator compares them with IdentifierStatus.txt.
const allowedTypes = 0b11

// wordsPerSet is the number of 64-bit words of a ucd.ScriptSet.
const wordsPerSet = 3

// A scriptSet is a ucd.ScriptSet.
type scriptSet [wordsPerSet]uint64

func (s *scriptSet) add(script int) { s[script/64] |= 1 << (script % 64) }

// or returns the union of two sets.
func (s scriptSet) or(t scriptSet) scriptSet {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

// has reports whether the script is in the set.
func (s scriptSet) has(script int) bool { return s[script/64]&(1<<(script%64)) != 0 }

// An identity is what the identity table knows of a code point.
type identity struct {
	script     int
	extensions scriptSet
	types      uint16
}

// scriptData has the content of the data files about scripts and identifiers.
type scriptData struct {
	codes, names []string
	identities   []identity // by code point
	recommended  scriptSet
	zeros        []rune // the digits zero of General_Category Nd
}

// script returns the number of the script with the four-letter code.
func (s *scriptData) script(code string) (int, error) {
	n := slices.Index(s.codes, code)
	if n < 0 {
		return 0, fmt.Errorf("unknown script %q", code)
	}
	return n, nil
}

// readScripts reads Scripts.txt, ScriptExtensions.txt, IdentifierType.txt and
// what it takes to understand them.
func readScripts(d data) (*scriptData, error) {
	s := &scriptData{identities: make([]identity, runes)}
	byName, err := s.readCodes(d)
	if err != nil {
		return nil, err
	}
	unknown, err := s.script("Zzzz")
	if err != nil {
		return nil, err
	}
	notCharacter := uint16(1) << slices.Index(identifierTypes, "Not_Character")
	for i := range s.identities {
		s.identities[i] = identity{script: unknown, types: notCharacter}
	}
	err = d.ranges("ucd/Scripts.txt", func(lo, hi rune, fields []string) error {
		n, ok := byName[fields[0]]
		if !ok {
			return fmt.Errorf("unknown script %q", fields[0])
		}
		for r := lo; r <= hi; r++ {
			s.identities[r].script = n
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range s.identities {
		s.identities[i].extensions.add(s.identities[i].script)
	}
	return s, errors.Join(s.readExtensions(d), s.readTypes(d), s.checkStatus(d), s.readCategories(d))
}

// readCodes reads the four-letter codes and names of the scripts, and returns
// the numbers of the scripts by name.
func (s *scriptData) readCodes(d data) (map[string]int, error) {
	f, err := os.Open(filepath.Join(string(d), "ucd/PropertyValueAliases.txt"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	type script struct{ code, name string }
	var scripts []script
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		line, _, _ := strings.Cut(sc.Text(), "#")
		fields := strings.Split(line, ";")
		if len(fields) >= 3 && strings.TrimSpace(fields[0]) == "sc" {
			scripts = append(scripts, script{strings.TrimSpace(fields[1]), strings.TrimSpace(fields[2])})
		}
	}
	if err := sc.Err(); err != nil {
		return nil, err
	}
	for _, w := range writingSystems {
		scripts = append(scripts, script{w[0], w[1]})
	}
	slices.SortFunc(scripts, func(a, b script) int { return strings.Compare(a.code, b.code) })
	if len(scripts) > 64*wordsPerSet {
		return nil, fmt.Errorf("%d scripts: a set holds %d", len(scripts), 64*wordsPerSet)
	}
	byName := map[string]int{}
	for i, sc := range scripts {
		byName[sc.name] = i
		s.codes = append(s.codes, sc.code)
		s.names = append(s.names, strings.ReplaceAll(sc.name, "_", " "))
	}
	return byName, nil
}

// readExtensions reads Script_Extensions where they differ from Script.
func (s *scriptData) readExtensions(d data) error {
	return d.ranges("ucd/ScriptExtensions.txt", func(lo, hi rune, fields []string) error {
		var set scriptSet
		for code := range strings.FieldsSeq(fields[0]) {
			n, err := s.script(code)
			if err != nil {
				return err
			}
			set.add(n)
		}
		for r := lo; r <= hi; r++ {
			s.identities[r].extensions = set
		}
		return nil
	})
}

// readTypes reads Identifier_Type.
func (s *scriptData) readTypes(d data) error {
	return d.ranges("security/IdentifierType.txt", func(lo, hi rune, fields []string) error {
		var types uint16
		for name := range strings.FieldsSeq(fields[0]) {
			n := slices.Index(identifierTypes, name)
			if n < 0 {
				return fmt.Errorf("unknown Identifier_Type %q", name)
			}
			types |= 1 << n
		}
		for r := lo; r <= hi; r++ {
			s.identities[r].types = types
		}
		return nil
	})
}

// checkStatus makes sure that Identifier_Status follows from Identifier_Type,
// so that no table is needed for it.
func (s *scriptData) checkStatus(d data) error {
	allowed := make([]bool, runes)
	err := d.ranges("security/IdentifierStatus.txt", func(lo, hi rune, fields []string) error {
		for r := lo; r <= hi; r++ {
			allowed[r] = fields[0] == "Allowed"
		}
		return nil
	})
	if err != nil {
		return err
	}
	for r, id := range s.identities {
		if allowed[r] != (id.types&allowedTypes != 0) {
			return fmt.Errorf("%U: Identifier_Status does not follow from Identifier_Type", r)
		}
	}
	return nil
}

// readCategories reads the decimal digits, and derives which scripts are
// Recommended (UAX #31 table 5), which no data file lists: those with letters
// that are recommended for identifiers.
func (s *scriptData) readCategories(d data) error {
	digits := 0
	err := d.characters(func(r rune, category, _ string) {
		id := s.identities[r]
		if strings.HasPrefix(category, "L") && id.types&1 != 0 {
			s.recommended.add(id.script)
		}
		if category == "Nd" {
			if digits%10 == 0 {
				s.zeros = append(s.zeros, r)
			}
			digits++
		}
	})
	if err != nil {
		return err
	}
	for i, z := range s.zeros {
		if i > 0 && z-s.zeros[i-1] < 10 {
			return fmt.Errorf("%U: decimal digits are not in a run of ten", z)
		}
	}
	return nil
}

// writeScripts writes Script, Script_Extensions and Identifier_Type as one
// list of runs of code points, each with the number of its identity.
func writeScripts(d release, out *source) error {
	s, err := readScripts(d.data)
	if err != nil {
		return err
	}
	out.printf("// The scripts, by the four-letter codes of ISO 15924. ScriptHanb, ScriptJpan and\n" +
		"// ScriptKore are writing systems of more than one script (UTS #39 §5.1); no\n// character has them as its script.\nconst (\n")
	for i, code := range s.codes {
		if i == 0 {
			out.printf("Script%s Script = iota // %s\n", code, s.names[i])
			continue
		}
		out.printf("Script%s // %s\n", code, s.names[i])
	}
	out.printf("\n\tscriptCount = iota\n)\n")
	out.text("scriptCodes", "scriptCodes are the four-letter codes of the scripts.", strings.Join(s.codes, ""))
	out.texts("scriptNames", "scriptNames are the names of the scripts, in the same order.", s.names)
	return s.writeIdentities(out)
}

// writeIdentities writes the tables by code point.
func (s *scriptData) writeIdentities(out *source) error {
	var sets []scriptSet
	var classes []identity
	classOf := map[identity]int{}
	var runs []uint32
	last := -1
	for r, id := range s.identities {
		class, ok := classOf[id]
		if !ok {
			class = len(classes)
			classOf[id] = class
			classes = append(classes, id)
		}
		if class != last {
			runs = append(runs, uint32(r)<<classBits|uint32(class))
			last = class
		}
	}
	if len(classes) >= 1<<classBits {
		return fmt.Errorf("%d classes need more than %d bits", len(classes), classBits)
	}
	scripts := make([]uint8, len(classes))
	types := make([]uint16, len(classes))
	extensions := make([]uint16, len(classes))
	for i, c := range classes {
		scripts[i], types[i] = uint8(c.script), c.types
		n := slices.Index(sets, c.extensions)
		if n < 0 {
			n = len(sets)
			sets = append(sets, c.extensions)
		}
		extensions[i] = uint16(n)
	}
	zeros := make([]uint32, len(s.zeros))
	for i, z := range s.zeros {
		zeros[i] = uint32(z)
	}
	out.longs("identityRuns", "identityRuns are runs of code points, sorted: the first one << 11 | the class of all.", runs)
	out.bytes("classScripts", "classScripts are the scripts of the classes.", scripts)
	out.words("classTypes", "classTypes are the Identifier_Type bits of the classes.", types)
	out.words("classExtensions", "classExtensions are the Script_Extensions of the classes, as indices of scriptSets.", extensions)
	out.sets("scriptSets", "scriptSets are the distinct values of Script_Extensions.", sets)
	out.sets("recommendedScripts", "recommendedScripts are the Recommended Scripts of UAX #31 table 5.", []scriptSet{s.recommended})
	out.longs("digitZeros", "digitZeros are the digits zero of General_Category Nd, sorted; the nine that follow each are its digits.", zeros)
	return nil
}

// classBits is the number of low bits of a run that hold the class.
const classBits = 11

// longs writes an array of 32-bit numbers, named and with its comment.
func (s *source) longs(name, comment string, v []uint32) {
	s.table(name, comment, fmt.Sprintf("[%d]uint32", len(v)), len(v), func(i int) string { return fmt.Sprintf("0x%07x", v[i]) }, 12)
	s.size += 4 * len(v)
}

// sets writes an array of script sets, named and with its comment.
func (s *source) sets(name, comment string, v []scriptSet) {
	s.table(name, comment, fmt.Sprintf("[%d]ScriptSet", len(v)), len(v), func(i int) string {
		return fmt.Sprintf("{0x%x, 0x%x, 0x%x}", v[i][0], v[i][1], v[i][2])
	}, 4)
	s.size += 8 * wordsPerSet * len(v)
}

// texts writes an array of strings, named and with its comment.
func (s *source) texts(name, comment string, v []string) {
	s.table(name, comment, fmt.Sprintf("[%d]string", len(v)), len(v), func(i int) string { return fmt.Sprintf("%q", v[i]) }, 8)
	for _, t := range v {
		s.size += 16 + len(t)
	}
}

// text writes one string constant, named and with its comment.
func (s *source) text(name, comment, v string) {
	const perLine = 96
	fmt.Fprintf(&s.sum, "%s %q", name, v)
	s.size += len(v)
	fmt.Fprintf(&s.body, "\n// %s\nconst %s = \"\"", comment, name)
	for chunk := range slices.Chunk([]rune(v), perLine) {
		fmt.Fprintf(&s.body, " +\n\t%+q", string(chunk))
	}
	s.body.WriteString("\n")
}
