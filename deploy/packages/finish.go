package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// finish makes what a release has beside the packages of each architecture: repositories, an
// image, and the checksums of all files.
func (r *release) finish() error {
	find := func(pattern string) []string {
		found, _ := filepath.Glob(filepath.Join(r.out, pattern)) // the pattern is good
		return found
	}
	debs, rpms := find("*.deb"), find("*.rpm")
	if len(debs) == 0 || len(rpms) == 0 {
		return fmt.Errorf("folder %q: no packages (want those of make packages)", r.out)
	}
	if err := r.aptRepository(filepath.Join(r.out, "apt"), debs); err != nil {
		return err
	}
	if err := r.rpmRepository(filepath.Join(r.out, "rpm"), rpms); err != nil {
		return err
	}
	archives := map[string]string{}
	prefix := "linkmilter-" + r.version.String() + "-linux-"
	for _, path := range find(prefix + "*.tar.gz") {
		archives[strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), prefix), ".tar.gz")] = path
	}
	image, err := r.image(archives)
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(r.out, "linkmilter-"+r.version.String()+".oci.tar"), image); err != nil {
		return err
	}
	return r.sums()
}

// sums writes the checksums of all files of the release.
func (r *release) sums() error {
	const name = "SHA256SUMS"
	var sums strings.Builder
	err := filepath.WalkDir(r.out, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path == filepath.Join(r.out, name) {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), path[len(r.out)+1:])
		return nil
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, name), []byte(sums.String()), 0o644)
}
