package ucd

import (
	"testing"
	"unsafe"
)

// TestTableSizes: the tables take little room in the program, above all those of skeletons and
// restriction levels.
func TestTableSizes(t *testing.T) {
	const limit = 200 << 10
	confusables := unsafe.Sizeof(confusableKeys) + unsafe.Sizeof(confusableAstralKeys) + unsafe.Sizeof(confusableClasses) +
		unsafe.Sizeof(prototypeStarts) + unsafe.Sizeof(prototypeScripts) + unsafe.Sizeof(prototypeSets) + uintptr(len(prototypes))
	scripts := unsafe.Sizeof(identityRuns) + unsafe.Sizeof(classScripts) + unsafe.Sizeof(classTypes) + unsafe.Sizeof(classExtensions) +
		unsafe.Sizeof(scriptSets) + unsafe.Sizeof(digitZeros)
	t.Logf("confusables: %d bytes; scripts and identifier types: %d bytes", confusables, scripts)
	if confusables+scripts > limit {
		t.Errorf("the tables for confusables and scripts take %d bytes, more than %d", confusables+scripts, limit)
	}
	const limitOfAll = 320 << 10 // a test of package policy relies on it
	all := confusables + scripts + unsafe.Sizeof(scanIndex) + unsafe.Sizeof(scanBlock) + unsafe.Sizeof(textIndex) + unsafe.Sizeof(textBlock)
	t.Logf("all: %d bytes", all)
	if all > limitOfAll {
		t.Errorf("all tables take %d bytes, more than %d", all, limitOfAll)
	}
}
