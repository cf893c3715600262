package policy

import (
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/linkmilter/linkmilter/engine/tld"
	"github.com/linkmilter/linkmilter/internal/hostname"
	"github.com/linkmilter/linkmilter/internal/wordlist"
)

// TestLists: each list has only domains or only words, as it should, and the lists do not
// contradict each other.
func TestLists(t *testing.T) {
	marks := map[string]bool{markTenants: true, markPages: true, markMailboxes: true, markProgram: true, markWord: true}
	names := make(map[string]string)
	for domain, value := range impersonated.All() {
		if hostname.Registrable(domain) != domain {
			t.Errorf("%s: not a registrable domain", domain)
		}
		for mark := range strings.FieldsSeq(value) {
			if !marks[mark] {
				t.Errorf("%s: unknown mark %s", domain, mark)
			}
		}
		name, _, _ := strings.Cut(domain, ".")
		if other, ok := names[wordKey(name)]; ok {
			t.Errorf("%s and %s look alike", domain, other)
		}
		names[wordKey(name)] = domain
	}
	for word, name := range honestWords.All() {
		if _, ok := names[wordKey(word)]; !ok || wordKey(word) != wordKey(name) {
			t.Errorf("%s does not look like %s", word, name)
		}
	}
	for domain, value := range owners.All() {
		owner, mark, _ := strings.Cut(value, " ")
		if mark != "" && mark != markSenders || hostname.Registrable(domain) != domain || hostname.Registrable(owner) != owner || owners.Has(owner) && !owners.Marked(owner, markSenders) {
			t.Errorf("%s of %s: not registrable domains, or the owner is below another", domain, owner)
		}
	}
	for word := range lures.All() {
		if strings.ContainsAny(word, ".-") {
			t.Errorf("lure %s: more than a word", word)
		}
	}
	for _, list := range []*wordlist.List{counters, services} {
		for host := range list.All() {
			if hostname.Registrable(host) == "" {
				t.Errorf("%s: not a host", host)
			}
		}
	}
	for host, where := range wrappers.All() {
		if strings.Trim(where, " /") == "" || strings.ToLower(where) != where {
			t.Errorf("%s: unknown where its links have a URL: %q", host, where)
		}
	}
	if len(countryScripts) < 50 || len(ordinary) < 10 {
		t.Errorf("%d countries, %d words", len(countryScripts), len(ordinary))
	}
}

// TestFontLetters: each character of the list stands for one letter, and each other name is that of
// a domain in the list.
func TestFontLetters(t *testing.T) {
	characters := 0
	for letter, signs := range readList("font_letters").All() {
		for _, r := range signs {
			if characters++; fontLetters[r] != rune(letter[0]) || r < 0x80 {
				t.Errorf("%c (%U) for %s: twice, or in ASCII", r, r, letter)
			}
		}
	}
	if characters != len(fontLetters) || characters < 250 {
		t.Errorf("%d characters, %d of them differ", characters, len(fontLetters))
	}
	for name, domain := range otherNames.All() {
		if !impersonated.Has(domain) {
			t.Errorf("%s: %s is not an impersonated domain", name, domain)
		}
	}
}

// TestListSizes: the lists take little room in the program, and popular sites little
// memory.
func TestListSizes(t *testing.T) {
	const limit = 400 << 10
	files, err := listFiles.ReadDir("lists")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, file := range files {
		info, err := file.Info()
		if err != nil {
			t.Fatal(err)
		}
		if file.Name() == "brands.txt" {
			continue // see TestBrandMemory
		}
		total += int(info.Size())
	}
	sites := popularSites()
	memory := len(sites.text) + len(sites.starts)*int(unsafe.Sizeof(uint32(0))) + len(sites.keys)*int(unsafe.Sizeof(siteKey{}))
	t.Logf("lists: %d bytes; tables of popular sites: %d bytes", total, memory)
	if total > limit || memory > limit {
		t.Errorf("lists of %d bytes and tables of %d bytes, want at most %d", total, memory, limit)
	}
}

// TestAllTableSizes: the lists of the judge, and the tables of Unicode data for skeletons, scripts
// and identifier types, are small together, in the program and in memory.
func TestAllTableSizes(t *testing.T) {
	const limit = 1 << 20
	files, err := listFiles.ReadDir("lists")
	if err != nil {
		t.Fatal(err)
	}
	lists := 0
	for _, file := range files {
		info, err := file.Info()
		if err != nil {
			t.Fatal(err)
		}
		if file.Name() == "brands.txt" {
			continue // see TestBrandMemory
		}
		lists += int(info.Size())
	}
	memory := 0
	for range 3 { // the least, since other tests leave garbage
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		sites := newSites()
		set, err := newProtectedSet(&Options{}, tld.Builtin())
		if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		read := int(after.HeapAlloc) - int(before.HeapAlloc)
		if memory == 0 || read < memory {
			memory = read
		}
		runtime.KeepAlive(sites)
		runtime.KeepAlive(set)
	}
	const unicode = 320 << 10 // at most, see TestTableSizes of package ucd
	t.Logf("lists: %d bytes; read: %d bytes; Unicode data: at most %d bytes", lists, memory, unicode)
	if total := lists + memory + unicode; memory <= 0 || total > limit {
		t.Errorf("%d bytes, want at most %d", total, limit)
	}
}
