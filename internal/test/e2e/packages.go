//go:build linux

package e2e

import (
	"bufio"
	"bytes"
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

// unpacked is a program, such as Postfix, unpacked below one folder.
type unpacked struct {
	root string   // in place of / in the packages' paths
	libs []string // folders with shared libraries
}

// path returns where a file of the packages lies, given its place on a
// system where they are installed.
func (u unpacked) path(elem ...string) string {
	return filepath.Join(append([]string{u.root}, elem...)...)
}

// at returns the program with its folder mounted at another place.
func (u unpacked) at(root string) unpacked {
	moved := unpacked{root: root}
	for _, dir := range u.libs {
		moved.libs = append(moved.libs, root+strings.TrimPrefix(dir, u.root))
	}
	return moved
}

// libraryPath is the value of LD_LIBRARY_PATH the programs need.
func (u unpacked) libraryPath() string { return strings.Join(u.libs, ":") }

// unpackPackages returns the named packages, unpacked together with those
// shared libraries they depend on which this system lacks. The result is
// kept in the user's cache folder and is read-only for all test runs. Where
// root, apt-get, dpkg or the network is missing, the test skips.
func unpackPackages(tb testing.TB, packages ...string) unpacked {
	tb.Helper()
	env.NeedRoot(tb)
	for _, program := range []string{"apt-get", "apt-cache", "dpkg", "dpkg-query"} {
		env.Command(tb, program)
	}
	cache, err := packageCache()
	if err != nil {
		env.Missing(tb, "a cache folder for Debian packages: "+err.Error())
	}
	root := filepath.Join(cache, strings.Join(packages, "+"))
	if err := fillOnce(root, packages); err != nil {
		env.Missing(tb, fmt.Sprintf("Debian packages %s: %v", strings.Join(packages, " "), err))
	}
	libs, err := libraryFolders(root)
	if err != nil {
		tb.Fatal(err)
	}
	if suite() != "" {
		libs = nil // the programs know them: see useOwnLibraries
	}
	return unpacked{root: root, libs: libs}
}

// packageCache returns the cache folder for this release and architecture,
// because a cache may be shared between containers of different releases.
func packageCache() (string, error) {
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	release, err := os.ReadFile("/etc/os-release")
	if err != nil {
		return "", err
	}
	values := map[string]string{}
	for line := range strings.Lines(string(release)) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			values[key] = strings.Trim(value, `"`)
		}
	}
	arch, err := run("dpkg", "--print-architecture")
	if err != nil {
		return "", err
	}
	name := values["ID"] + cmp.Or(suite(), values["VERSION_ID"]) + "-" + strings.TrimSpace(arch)
	dir := filepath.Join(base, "linkmilter-mta", name)
	return dir, os.MkdirAll(dir, 0o755)
}

// suite returns the suite of Debian that the packages come from in place of this system's, such as
// sid for the newest mail servers, or "".
func suite() string { return os.Getenv("LINKMILTER_SUITE") }

// apt runs a program of apt in a folder with the lists of the suite, which are apart from this system's.
func apt(dir, lists, program string, args ...string) (string, error) {
	if suite() == "" {
		return runIn(dir, program, args...)
	}
	settings := []string{
		"Dir::Etc::sourcelist=" + filepath.Join(lists, "sources.list"), "Dir::Etc::sourceparts=/dev/null",
		"Dir::State::lists=" + filepath.Join(lists, "lists"), "Dir::State::status=" + filepath.Join(lists, "status"),
		"Dir::Cache=" + lists, "APT::Sandbox::User=root",
	}
	var all []string
	for _, s := range settings {
		all = append(all, "-o", s)
	}
	return runIn(dir, program, append(all, args...)...)
}

// makeLists gets the lists of the suite.
func makeLists(lists string) error {
	source := "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian " + suite() + " main\n"
	return errors.Join(
		os.MkdirAll(filepath.Join(lists, "lists", "partial"), 0o755), os.MkdirAll(filepath.Join(lists, "archives", "partial"), 0o755),
		os.WriteFile(filepath.Join(lists, "sources.list"), []byte(source), 0o644), os.WriteFile(filepath.Join(lists, "status"), nil, 0o644),
	)
}

// fillOnce makes the folder root unless an earlier test run did. Test runs
// that start at once wait for each other; the folder appears complete, by a
// rename, or not at all.
func fillOnce(root string, packages []string) error {
	// One lock for all folders: apt-get update does not run twice at once.
	lock, err := os.OpenFile(filepath.Join(filepath.Dir(root), "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close() // releases the lock
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		return fmt.Errorf("lock %s: %w", lock.Name(), err)
	}
	if _, err := os.Stat(root); err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	work, err := os.MkdirTemp(filepath.Dir(root), "unpack-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := unpack(work, root, packages); err != nil {
		return err
	}
	return os.Rename(filepath.Join(work, "root"), root)
}

// unpack downloads the packages and unpacks them into work/root, which moves to final.
func unpack(work, final string, packages []string) error {
	lists := filepath.Join(filepath.Dir(work), "apt")
	if suite() != "" {
		if err := makeLists(lists); err != nil {
			return err
		}
	}
	if _, err := apt("", lists, "apt-cache", append([]string{"show", "--quiet"}, packages...)...); err != nil {
		// A fresh container has no package lists.
		if out, err := apt("", lists, "apt-get", "update", "--quiet"); err != nil {
			return fmt.Errorf("apt-get update: %w: %s", err, out)
		}
	}
	libraries, err := missingLibraries(lists, packages)
	if err != nil {
		return err
	}
	if out, err := apt(work, lists, "apt-get", append(append([]string{"download", "--quiet"}, packages...), libraries...)...); err != nil {
		return fmt.Errorf("apt-get download: %w: %s", err, out)
	}
	archives, err := filepath.Glob(filepath.Join(work, "*.deb"))
	if err != nil {
		return err
	}
	root := filepath.Join(work, "root")
	for _, archive := range archives {
		if out, err := run("dpkg", "-x", archive, root); err != nil {
			return fmt.Errorf("unpack %s: %w: %s", filepath.Base(archive), err, out)
		}
	}
	if suite() != "" {
		if err := useOwnLibraries(work, root, final); err != nil {
			return err
		}
	}
	return dropPrivilegeBits(root)
}

// useOwnLibraries makes each program below root, which moves to the folder final afterwards, run
// with the loader and the libraries that were unpacked with it: those of this system are older.
// LD_LIBRARY_PATH would change the shells, too, that mail servers start.
func useOwnLibraries(work, root, final string) error {
	tools := filepath.Join(work, "tools")
	if err := os.Mkdir(tools, 0o755); err != nil {
		return err
	}
	if out, err := runIn(tools, "apt-get", "download", "--quiet", "patchelf"); err != nil {
		return fmt.Errorf("apt-get download patchelf: %w: %s", err, out)
	}
	archives, err := filepath.Glob(filepath.Join(tools, "*.deb"))
	if err != nil || len(archives) != 1 {
		return fmt.Errorf("patchelf: %d packages, %w", len(archives), err)
	}
	if out, err := run("dpkg", "-x", archives[0], tools); err != nil {
		return fmt.Errorf("unpack patchelf: %w: %s", err, out)
	}
	libs, err := libraryFolders(root)
	if err != nil {
		return err
	}
	for i := range libs {
		libs[i] = final + strings.TrimPrefix(libs[i], root)
	}
	loaders, err := filepath.Glob(filepath.Join(root, "usr/lib/*/ld-linux-*.so.*"))
	if err != nil || len(loaders) != 1 {
		return fmt.Errorf("loader: %d files, %w", len(loaders), err)
	}
	loader := final + strings.TrimPrefix(loaders[0], root)
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		args := []string{"--force-rpath", "--set-rpath", strings.Join(libs, ":"), path}
		switch isProgram, ownPath := linked(path); {
		case isProgram:
			args = append([]string{"--set-interpreter", loader}, args...)
		case !ownPath:
			return nil
		}
		if out, err := run(filepath.Join(tools, "usr/bin/patchelf"), args...); err != nil {
			return fmt.Errorf("patchelf %s: %w: %s", path, err, out)
		}
		return nil
	})
}

// linked reports whether a file is a program that a loader starts, and whether it is a library
// with a path of its own, for which that of the program does not count.
func linked(path string) (isProgram, ownPath bool) {
	f, err := elf.Open(path)
	if err != nil {
		return false, false
	}
	defer f.Close()
	own, _ := f.DynString(elf.DT_RUNPATH)
	return f.Section(".interp") != nil && !strings.Contains(filepath.Base(path), ".so"), len(own) > 0
}

// missingLibraries returns the packages of libraries, of another suite also Perl, that the given ones need,
// directly or through other libraries, and that are not installed. Names of
// library packages differ from release to release, so apt is asked.
func missingLibraries(lists string, packages []string) ([]string, error) {
	var missing []string
	seen := map[string]bool{}
	for next := packages; len(next) > 0; {
		out, err := apt("", lists, "apt-cache", append([]string{"depends", "--important"}, next...)...)
		if err != nil {
			return nil, fmt.Errorf("apt-cache depends: %w: %s", err, out)
		}
		next = nil
		for _, name := range dependencies(out) {
			isPerl := suite() != "" && (name == "perl" || strings.HasPrefix(name, "perl-")) // modules in C need their own
			if !strings.HasPrefix(name, "lib") && name != "zlib1g" && !isPerl || seen[name] {
				continue
			}
			seen[name] = true
			if suite() != "" {
				missing, next = append(missing, name), append(next, name)
				continue
			}
			if state, err := run("dpkg-query", "--show", "--showformat=${db:Status-Status}", name); err == nil && strings.HasPrefix(state, "installed") {
				continue
			}
			missing = append(missing, name)
			next = append(next, name)
		}
	}
	return missing, nil
}

// dependencies reads the output of apt-cache depends. A virtual package
// is in angle brackets, with its providers below it, further indented: the
// first of them counts.
func dependencies(out string) []string {
	var names []string
	virtual := false
	for line := range strings.Lines(out) {
		kind, name, isField := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case isField && strings.HasSuffix(kind, "Depends"):
			if virtual = strings.HasPrefix(name, "<"); !virtual {
				names = append(names, name)
			}
		case virtual && strings.HasPrefix(line, "    "):
			names = append(names, strings.TrimSpace(line))
			virtual = false
		}
	}
	return names
}

// dropPrivilegeBits clears set-uid and set-gid on everything below root: no
// privileged program shall lie in a cache folder, and the dynamic linker
// ignores LD_LIBRARY_PATH for such programs.
func dropPrivilegeBits(root string) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) == 0 {
			return nil
		}
		return os.Chmod(path, info.Mode().Perm())
	})
}

// libraryFolders returns the folders below root that hold shared libraries.
func libraryFolders(root string) ([]string, error) {
	var dirs []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, dir := entry.Name(), filepath.Dir(path)
		if strings.HasPrefix(name, "lib") && strings.Contains(name, ".so") && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		return nil
	})
	return dirs, err
}

// run runs a program to its end and returns what it printed.
func run(name string, args ...string) (string, error) { return runIn("", name, args...) }

// runIn is run in a folder.
func runIn(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if err != nil {
		return lastLine(stderr.String()), err
	}
	return stdout.String(), nil
}

// lastLine returns the last line that is not empty, where programs put the
// reason why they ended.
func lastLine(s string) string {
	var last string
	for lines := bufio.NewScanner(strings.NewReader(s)); lines.Scan(); {
		if line := strings.TrimSpace(lines.Text()); line != "" {
			last = line
		}
	}
	return last
}
