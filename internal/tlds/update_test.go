package tlds

import (
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// quiet drops what servers log about clients that hang up.
var quiet = log.New(io.Discard, "", 0)

func TestUpdate(t *testing.T) {
	s := newSite(t, listOf(day, names()))
	file := newFile(t)
	k := open(t, s.Server, file)
	if l := k.Current(); l.Origin != OriginBuiltin || !strings.Contains(k.Note(), "does not exist yet") {
		t.Fatalf("at first the list is %s: %s", l.Origin, k.Note())
	}
	if _, err := k.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	first := k.Current()
	if first.Origin != OriginNetwork || first.Version != day.Format("20060102")+"00" || first.Set.Len() != len(names()) {
		t.Errorf("list %s of version %s with %d names", first.Origin, first.Version, first.Set.Len())
	}

	// Nothing new: 304.
	o, err := k.Update(t.Context())
	if err != nil || !o.Unchanged {
		t.Errorf("unchanged %t, error %v", o.Unchanged, err)
	}
	if !k.Current().Checked.After(first.Checked) {
		t.Error("the time of the check has not moved")
	}

	// A new list under a new ETag.
	next := slices.Sorted(slices.Values(append(except(names(), "AAA"), "LINKMILTERTEST")))
	s.set(listOf(day.AddDate(0, 0, 1), next), `"two"`)
	if o, err = k.Update(t.Context()); err != nil || o.Unchanged {
		t.Fatalf("unchanged %t, error %v", o.Unchanged, err)
	}
	if got := o.Added(); !slices.Equal(got, []string{"linkmiltertest"}) {
		t.Errorf("added %q", got)
	}
	if got := o.Removed(); !slices.Equal(got, []string{"aaa"}) {
		t.Errorf("removed %q", got)
	}
	if set := k.Current().Set; !set.Contains("linkmiltertest") || set.Contains("aaa") {
		t.Error("the new list is not in use")
	}

	// A new ETag on the same list.
	s.set(listOf(day.AddDate(0, 0, 1), next), `"three"`)
	if o, err = k.Update(t.Context()); err != nil || !o.Unchanged {
		t.Errorf("unchanged %t, error %v", o.Unchanged, err)
	}
	if got, want := s.answered(), []int{200, 304, 200, 200}; !slices.Equal(got, want) {
		t.Errorf("the server answered %d, want %d", got, want)
	}

	// A new process reads the file, and then asks as this one would.
	other := open(t, s.Server, file)
	if l := other.Current(); l.Origin != OriginFile || !sameNames(l, k.Current()) || l.Version != k.Current().Version || other.Note() != "" {
		t.Errorf("the next process has a list %s of version %s: %s", l.Origin, l.Version, other.Note())
	}
	if o, err = other.Update(t.Context()); err != nil || !o.Unchanged {
		t.Errorf("unchanged %t, error %v", o.Unchanged, err)
	}
	if got := s.answered(); got[len(got)-1] != http.StatusNotModified {
		t.Errorf("the server answered the next process %d", got[len(got)-1])
	}
	if names := contents(t, filepath.Dir(file)); len(names) != 2 {
		t.Errorf("%d files in the cache folder", len(names))
	}
}

// TestUpdateValidators: a request has a validator only if the same server sent it for the list that
// is on disk.
func TestUpdateValidators(t *testing.T) {
	tests := []struct {
		name   string
		damage func(t *testing.T, file string)
		want   int
	}{
		{"unchanged", func(*testing.T, string) {}, http.StatusNotModified},
		{"notes missing", func(t *testing.T, file string) { must(t, os.Remove(file+".json")) }, http.StatusOK},
		{"notes damaged", func(t *testing.T, file string) { must(t, os.WriteFile(file+".json", []byte("{"), 0o644)) }, http.StatusOK},
		{"notes about another list", func(t *testing.T, file string) {
			must(t, os.WriteFile(file, listOf(day.Add(-time.Hour), names()), 0o644))
		}, http.StatusOK},
		{"notes of another server", func(t *testing.T, file string) { editNotes(t, file, func(n *notes) { n.URL = DefaultURL }) }, http.StatusOK},
		{"only the date", func(t *testing.T, file string) { editNotes(t, file, func(n *notes) { n.ETag = "" }) }, http.StatusNotModified},
		{"only the ETag", func(t *testing.T, file string) { editNotes(t, file, func(n *notes) { n.LastModified = "" }) }, http.StatusNotModified},
		{"list missing", func(t *testing.T, file string) { must(t, os.Remove(file)) }, http.StatusOK},
		{"list damaged", func(t *testing.T, file string) { must(t, os.Truncate(file, 5000)) }, http.StatusOK},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := newFile(t)
			s := newSite(t, listOf(day, names()))
			if _, err := open(t, s.Server, file).Update(t.Context()); err != nil {
				t.Fatal(err)
			}
			tt.damage(t, file)
			if _, err := open(t, s.Server, file).Update(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := s.answered()[1]; got != tt.want {
				t.Errorf("the server answered %d, want %d", got, tt.want)
			}
		})
	}
}

// TestUpdateByAnotherProcess: a running process uses the list that `tlds update` wrote to the file,
// even if its server is down.
func TestUpdateByAnotherProcess(t *testing.T) {
	file := newFile(t)
	store(t, file)
	down := httptest.NewTLSServer(status(http.StatusServiceUnavailable))
	defer down.Close()
	k := open(t, down, file)
	up := newSite(t, listOf(day.AddDate(0, 0, 1), withLine("LINKMILTERTEST")))
	if _, err := open(t, up.Server, file).Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Update(t.Context()); err == nil {
		t.Error("the server that is down gave no error")
	}
	if !k.Current().Set.Contains("linkmiltertest") {
		t.Error("the list of the other process is not in use")
	}
}

// TestUpdateUnsaved: a list that cannot be written to disk is still used.
func TestUpdateUnsaved(t *testing.T) {
	s := newSite(t, listOf(day, withLine("LINKMILTERTEST")))
	file := filepath.Join(t.TempDir(), "taken", fileName)
	must(t, os.WriteFile(filepath.Dir(file), nil, 0o644)) // no folder can be made there
	k := open(t, s.Server, file)
	for range 2 {
		_, err := k.Update(t.Context())
		if save := (*SaveError)(nil); !errors.As(err, &save) || save.File != file {
			t.Errorf("error %v, want a SaveError", err)
		}
		if !k.Current().Set.Contains("linkmiltertest") {
			t.Error("the list is not in use")
		}
	}
	if got, want := s.answered(), []int{200, 200}; !slices.Equal(got, want) {
		t.Errorf("the server answered %d, want %d", got, want)
	}
}

func TestUpdateWithoutFile(t *testing.T) {
	t.Setenv("CACHE_DIRECTORY", "")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	s := newSite(t, listOf(day, withLine("LINKMILTERTEST")))
	k := open(t, s.Server, "")
	if k.File() != "" || k.Note() == "" {
		t.Errorf("file %q, note %q", k.File(), k.Note())
	}
	if _, err := k.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !k.Current().Set.Contains("linkmiltertest") {
		t.Error("the list is not in use")
	}
}

func TestRedirectWithinHTTPS(t *testing.T) {
	s := newSite(t, listOf(day, names()))
	to := httptest.NewTLSServer(redirectTo(s.URL + "/list"))
	defer to.Close()
	k, err := Open(Options{URL: to.URL, File: newFile(t), Transport: s.Client().Transport})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.Update(t.Context()); err != nil {
		t.Error(err)
	}
}

func editNotes(t testing.TB, file string, edit func(*notes)) {
	t.Helper()
	n := cache{file}.loadNotes()
	edit(&n)
	text, err := json.Marshal(n)
	must(t, err)
	must(t, os.WriteFile(file+".json", text, 0o644))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
