//go:build unix

package tlds

import (
	"errors"
	"os/signal"
	"syscall"
	"testing"
)

// TestDiskFull: if the disk takes only the beginning of a new list, the old list stays, and nothing
// of the new one. A limit on the size of files replaces the full disk.
func TestDiskFull(t *testing.T) {
	file := newFile(t)
	before := store(t, file)
	s := newSite(t, listOf(day.AddDate(0, 0, 1), withLine("LINKMILTERTEST")))
	k := open(t, s.Server, file)

	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit))
	small := limit
	small.Cur = 4096
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small))
	_, err := k.Update(t.Context())
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))

	if save := (*SaveError)(nil); !errors.As(err, &save) || !errors.Is(err, syscall.EFBIG) {
		t.Errorf("error %v, want a SaveError", err)
	}
	if !k.Current().Set.Contains("linkmiltertest") {
		t.Error("the new list is not in use")
	}
	checkStored(t, file, before)
	if l := open(t, s.Server, file).Current(); l.Origin != OriginFile {
		t.Errorf("the next process has the list %s", l.Origin)
	}
}
