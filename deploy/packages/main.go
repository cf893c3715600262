// Command packages makes the files of a release: packages for Debian and for systems with RPM, a
// tar archive, and a list of the modules that the program is made of. With -finish it adds
// repositories, an image and the checksums of all. The same sources, version and date give the same
// bytes.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

func main() {
	log := func(err error) {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
	root := flag.String("root", "../..", "folder of the sources")
	out := flag.String("out", "", "folder for the results")
	described := flag.String("version", "", "version, as git describe writes it")
	arch := flag.String("arch", "amd64", "architecture, as in GOARCH")
	finish := flag.Bool("finish", false, "make repositories, an image and checksums of the packages in -out")
	flag.Parse()
	date, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		log(fmt.Errorf("SOURCE_DATE_EPOCH %q: not a number of seconds", os.Getenv("SOURCE_DATE_EPOCH")))
	}
	version, err := parseVersion(*described)
	if err != nil {
		log(err)
	}
	r := release{root: *root, out: filepath.Clean(*out), arch: *arch, described: *described, version: version, date: time.Unix(date, 0).UTC()}
	do := r.make
	if *finish {
		do = r.finish
	}
	if err := do(); err != nil {
		log(err)
	}
}

// A release has the paths and the version that packages are made from.
type release struct {
	root, out string
	arch      string
	described string // as git describe writes it
	version   version
	date      time.Time // time stamp of all files
}

// make writes the files of the release and their checksums.
func (r *release) make() error {
	stage, err := os.MkdirTemp("", "linkmilter-packages-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(stage)
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	binary := filepath.Join(stage, "linkmilter")
	if err := r.build(binary, r.arch); err != nil {
		return err
	}
	native := binary
	if r.arch != runtime.GOARCH {
		native = filepath.Join(stage, "native")
		if err := r.build(native, runtime.GOARCH); err != nil {
			return err
		}
	}
	tree := filepath.Join(stage, "tree")
	if err := r.install(binary, native, tree); err != nil {
		return err
	}
	if err := checkTLDs(filepath.Join(tree, "usr/share/linkmilter/tlds-alpha-by-domain.txt"), r.version, r.date); err != nil {
		return err
	}
	files, err := installed(tree)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, write := range []func() (string, []byte, error){
		func() (string, []byte, error) { return r.pack("deb", files) },
		func() (string, []byte, error) { return r.pack("rpm", files) },
		func() (string, []byte, error) { return r.tarball(files) },
		func() (string, []byte, error) { return r.modules(binary) },
	} {
		name, content, err := write()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(r.out, name), content, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), name)
		fmt.Println(filepath.Join(r.out, name))
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}
