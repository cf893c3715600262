package tlds

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestOpenCacheFile: Open does not use a bad cache file, and Note says why.
func TestOpenCacheFile(t *testing.T) {
	good := listOf(day, names())
	flipped := bytes.Replace(good, []byte("\nCOM\n"), []byte("\nC\x0fM\n"), 1)
	tests := []struct {
		name string
		text []byte // nil: no file
		note string // "": the file is used
	}{
		{"good", good, ""},
		{"line ends of DOS", bytes.ReplaceAll(good, []byte("\n"), []byte("\r\n")), ""},
		{"a little older than the built-in list", listOf(day.AddDate(0, 0, -2), names()), ""},
		{"clearly older", listOf(day.AddDate(0, 0, -20), names()), "older than the built-in list"},
		{"missing", nil, "does not exist yet"},
		{"empty", []byte{}, "not IANA's header"},
		{"zeros, as after a power cut", make([]byte, len(good)), "not IANA's header"},
		{"cut off", good[:len(good)-2], "middle of a line"},
		{"cut off after a line", good[:bytes.Index(good, []byte("\nDE\n"))+1], "names, fewer than 1000"},
		{"a byte changed", flipped, "not a label of ASCII"},
		{"larger than any list", append(bytes.Clone(good), make([]byte, maxSize)...), "larger than any list"},
		{"a quarter missing", listOf(day, without(names(), 4)), "more than 20 %"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), fileName)
			if tt.text != nil {
				must(t, os.WriteFile(file, tt.text, 0o644))
			}
			k, err := Open(Options{File: file})
			if err != nil {
				t.Fatal(err)
			}
			want := OriginFile
			if tt.note != "" {
				want = OriginBuiltin
			}
			if got := k.Current().Origin; got != want || !strings.Contains(k.Note(), tt.note) || tt.note == "" && k.Note() != "" {
				t.Errorf("the list is %s, want %s; note %q", got, want, k.Note())
			}
			if n := k.Current().Set.Len(); n < 1000 || !k.Current().Set.Contains("com") {
				t.Errorf("%d names, or com is missing", n)
			}
		})
	}
}

// TestOpenFolder: Open goes on without a regular file, too.
func TestOpenFolder(t *testing.T) {
	k, err := Open(Options{File: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if k.Current().Origin != OriginBuiltin || k.Note() == "" {
		t.Errorf("the list is %s, note %q", k.Current().Origin, k.Note())
	}
}

// TestOpenWithoutNotes: the age of the file replaces the time of the check.
func TestOpenWithoutNotes(t *testing.T) {
	file := filepath.Join(t.TempDir(), fileName)
	must(t, os.WriteFile(file, listOf(day, names()), 0o644))
	when := day.Add(36 * time.Hour)
	must(t, os.Chtimes(file, when, when))
	k, err := Open(Options{File: file})
	must(t, err)
	if l := k.Current(); !l.Checked.Equal(when) {
		t.Errorf("checked %s, want %s", l.Checked, when)
	}
}

func TestOptions(t *testing.T) {
	tests := []struct {
		name    string
		options Options
		want    string
	}{
		{"http", Options{URL: "http://data.iana.org/TLD/tlds-alpha-by-domain.txt"}, "not https://"},
		{"http with a password", Options{URL: "http://user:secret@example.com/"}, "user:xxxxx@example.com"},
		{"a path", Options{URL: "/etc/passwd"}, "not https://"},
		{"no host", Options{URL: "https:///list"}, "not https://"},
		{"no URL", Options{URL: "https://exa mple/"}, "invalid character"},
		{"too often", Options{Every: time.Minute}, "interval 1m0s: too short"},
		{"negative", Options{Every: -time.Hour}, "too short"},
		{"negative time limit", Options{Timeout: -1}, "negative time limit"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.options.File = newFile(t)
			_, err := Open(tt.options)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestDefaultFile(t *testing.T) {
	tests := []struct {
		name, systemd, xdg, home, want string
	}{
		{"systemd", "/var/cache/linkmilter:/var/cache/other", "/x", "/root", "/var/cache/linkmilter/" + fileName},
		{"user", "", "/home/u/.cache", "/home/u", "/home/u/.cache/linkmilter/" + fileName},
		{"nowhere", "", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("CACHE_DIRECTORY", tt.systemd)
			t.Setenv("XDG_CACHE_HOME", tt.xdg)
			t.Setenv("HOME", tt.home)
			got, err := DefaultFile()
			if got != filepath.FromSlash(tt.want) || (err != nil) != (tt.want == "") {
				t.Errorf("%q, error %v, want %q", got, err, tt.want)
			}
		})
	}
}

// TestBuiltin: the built-in list has a date, so that older files are recognised.
func TestBuiltin(t *testing.T) {
	l := Builtin()
	if l.Updated.Year() < 2026 || l.Age(l.Updated.Add(time.Hour)) != time.Hour || l.Origin.String() != "built-in" {
		t.Errorf("%s list of %s", l.Origin, l.Updated)
	}
}
