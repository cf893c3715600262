package main

import (
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/linkmilter/linkmilter/internal/ucd"
)

// A release is the data from which the tables are made. IDNA comes in the version of the libraries
// that process hosts, whatever the version of the rest: a table that knew more characters than they
// do would find hosts that they refuse.
type release struct {
	data        // of ucd.UnicodeVersion
	idna data   // of idnaVersion
	name string // the version, or the version and the date of a draft
}

// findRelease returns the data below from if that is given, otherwise below the folders in which
// the tests look for it, too. It takes files of drafts only if those of the release are missing, or
// if draft is set. Drafts with the bytes of the release are the release.
func findRelease(from string, draft bool) (release, error) {
	places, err := dataPlaces(from)
	if err != nil {
		return release{}, err
	}
	hosts, err := findVersion(places, idnaVersion)
	if err != nil {
		return release{}, err
	}
	if !draft {
		if d, err := findVersion(places, ucd.UnicodeVersion); err == nil {
			return release{data: d, idna: hosts, name: ucd.UnicodeVersion}, checkRelease(d)
		}
	}
	d, err := findVersion(places, ucd.UnicodeVersion+"-draft")
	if err != nil {
		return release{}, err
	}
	if !draft && isReleased(d) {
		return release{data: d, idna: hosts, name: ucd.UnicodeVersion}, nil
	}
	date, err := draftDate(d)
	return release{data: d, idna: hosts, name: ucd.UnicodeVersion + " draft of " + date}, err
}

// released has the SHA-256 of the files of the release, in the form of sha256sum.
//
//go:embed released.sha256
var released string

// isReleased reports whether the last drafts have the same bytes as the released files.
func isReleased(d data) bool {
	for line := range strings.Lines(released) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		content, err := os.ReadFile(filepath.Join(string(d), name))
		if err != nil || fmt.Sprintf("%x", sha256.Sum256(content)) != sum {
			return false
		}
	}
	return true
}

// dataPlaces returns the folders that may hold the folders of the versions.
func dataPlaces(from string) ([]string, error) {
	if from != "" {
		return []string{from}, nil
	}
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	return []string{
		os.Getenv("LINKMILTER_UCD"),
		filepath.Join(root, "..", "shared", "unicode"),
		filepath.Join(root, ".ucd"),
	}, nil
}

// findVersion returns the folder of a version below the first place that has it.
func findVersion(places []string, version string) (data, error) {
	for _, p := range places {
		if p == "" {
			continue
		}
		dir := filepath.Join(p, version)
		if _, err := os.Stat(dir); err == nil {
			return data(dir), nil
		}
	}
	return "", fmt.Errorf("no folder %s below any of %q: run make ucd, or set LINKMILTER_UCD", version, places)
}

// moduleRoot returns the nearest folder upwards that holds go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod above the working directory")
		}
		dir = parent
	}
}

// writeVersions writes which data the tables are made of.
func writeVersions(d release, out *source) error {
	out.printf("\n// Release is the data that the tables are made of: [UnicodeVersion], or that version\n"+
		"// and the date of its drafts.\nconst Release = %q\n", d.name)
	out.printf("\n// IDNAVersion is the Unicode version of [HostClassOf]: that of the libraries which process\n"+
		"// hosts and normalise text.\nconst IDNAVersion = %q\n", idnaVersion)
	return nil
}
