package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// aptRepository writes a repository for apt below a folder, with the packages in list. Its Release
// file is not signed: docs/development.md says how to sign it.
func (r *release) aptRepository(folder string, list []string) error {
	const pool = "pool/main/l/linkmilter"
	stanzas := map[string]*bytes.Buffer{}
	var archs []string
	for _, path := range list {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		control, err := controlOf(content)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		arch := fieldOf(control, "Architecture")
		if stanzas[arch] == nil {
			stanzas[arch] = new(bytes.Buffer)
			archs = append(archs, arch)
		}
		name := pool + "/" + filepath.Base(path)
		fmt.Fprintf(stanzas[arch], "%s\nFilename: %s\nSize: %d\nSHA256: %x\n\n", strings.TrimSpace(control), name, len(content), sha256.Sum256(content))
		if err := writeFile(filepath.Join(folder, name), content); err != nil {
			return err
		}
	}
	var sums, md5s strings.Builder
	add := func(name string, content []byte) error {
		fmt.Fprintf(&sums, " %x %d %s\n", sha256.Sum256(content), len(content), name)
		fmt.Fprintf(&md5s, " %x %d %s\n", md5.Sum(content), len(content), name)
		return writeFile(filepath.Join(folder, "dists/stable", name), content)
	}
	for _, arch := range archs {
		name := "main/binary-" + arch + "/Packages"
		zipped, err := compress(stanzas[arch].Bytes())
		if err != nil {
			return err
		}
		if err := errors.Join(add(name, stanzas[arch].Bytes()), add(name+".gz", zipped)); err != nil {
			return err
		}
	}
	head := fmt.Sprintf("Origin: linkmilter\nLabel: linkmilter\nSuite: stable\nCodename: stable\nDate: %s\nArchitectures: %s\nComponents: main\n",
		r.date.Format("Mon, 02 Jan 2006 15:04:05 UTC"), strings.Join(archs, " "))
	return writeFile(filepath.Join(folder, "dists/stable/Release"), []byte(head+"MD5Sum:\n"+md5s.String()+"SHA256:\n"+sums.String()))
}

// controlOf returns the control file of a Debian package: an archive of ar with a tar archive.
func controlOf(deb []byte) (string, error) {
	const magic, head = "!<arch>\n", 60
	rest, found := bytes.CutPrefix(deb, []byte(magic))
	if !found {
		return "", errors.New("not a Debian package")
	}
	for len(rest) >= head {
		name := strings.TrimRight(string(rest[:16]), " /")
		size, err := strconv.Atoi(strings.TrimSpace(string(rest[48:58])))
		if err != nil || size < 0 || head+size > len(rest) {
			return "", errors.New("not a Debian package: a bad size")
		}
		if name == "control.tar.gz" {
			return fileIn(rest[head:head+size], "control")
		}
		rest = rest[min(head+size+size%2, len(rest)):]
	}
	return "", errors.New("no control file")
}

// fileIn returns a file of a compressed tar archive.
func fileIn(archive []byte, name string) (string, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return "", err
	}
	for t := tar.NewReader(unzipped); ; {
		h, err := t.Next()
		if err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		if strings.TrimPrefix(h.Name, "./") == name {
			content, err := io.ReadAll(t)
			return string(content), err
		}
	}
}

// fieldOf returns a field of a control file.
func fieldOf(control, name string) string {
	for lines := bufio.NewScanner(strings.NewReader(control)); lines.Scan(); {
		if value, found := strings.CutPrefix(lines.Text(), name+": "); found {
			return value
		}
	}
	return ""
}

func compress(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// writeFile writes a file, and the folder for it.
func writeFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}
