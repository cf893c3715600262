package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Tags of a header of RPM.
const (
	tagName        = 1000
	tagVersion     = 1001
	tagRelease     = 1002
	tagSummary     = 1004
	tagDescription = 1005
	tagBuildTime   = 1006
	tagSize        = 1009
	tagLicense     = 1014
	tagURL         = 1020
	tagArch        = 1022
	tagRequires    = 1049
	tagBases       = 1117
	tagIndexes     = 1116
	tagFolders     = 1118
)

// A header is that of a package in the format of RPM: its tags, and where it lies in the file.
type header struct {
	tags       map[uint32][]string
	start, end int
}

// rpmHeader reads the header of a package: behind a lead of 96 bytes and the signatures.
func rpmHeader(content []byte) (header, error) {
	const lead, intro, entry = 96, 16, 16
	at := lead
	for part := range 2 {
		if at+intro > len(content) || !bytes.HasPrefix(content[at:], []byte{0x8e, 0xad, 0xe8, 1}) {
			return header{}, errors.New("not a package of RPM")
		}
		count, size := int(binary.BigEndian.Uint32(content[at+8:])), int(binary.BigEndian.Uint32(content[at+12:]))
		end := at + intro + count*entry + size
		if count < 0 || size < 0 || end > len(content) {
			return header{}, errors.New("header too long")
		}
		if part == 0 {
			at = (end + 7) &^ 7
			continue
		}
		h := header{tags: map[uint32][]string{}, start: at, end: end}
		store := content[end-size : end]
		for i := range count {
			e := content[at+intro+i*entry:]
			tag, kind, offset, n := binary.BigEndian.Uint32(e), binary.BigEndian.Uint32(e[4:]), int(binary.BigEndian.Uint32(e[8:])), int(binary.BigEndian.Uint32(e[12:]))
			if offset > len(store) {
				return header{}, errors.New("tag outside the header")
			}
			h.tags[tag] = values(store[offset:], kind, n)
		}
		return h, nil
	}
	return header{}, errors.New("no header")
}

// values reads the values of a tag: numbers of 32 bits and texts.
func values(store []byte, kind uint32, n int) (list []string) {
	for range n {
		switch kind {
		case 4:
			if len(store) < 4 {
				return list
			}
			list = append(list, fmt.Sprint(binary.BigEndian.Uint32(store)))
			store = store[4:]
		case 6, 8, 9:
			text, rest, _ := bytes.Cut(store, []byte{0})
			list, store = append(list, string(text)), rest
		}
	}
	return list
}

func (h *header) one(tag uint32) string {
	if list := h.tags[tag]; len(list) > 0 {
		return list[0]
	}
	return ""
}

// files returns the paths of the files.
func (h *header) files() (paths []string) {
	for i, base := range h.tags[tagBases] {
		var folder int
		if _, err := fmt.Sscan(h.tags[tagIndexes][i], &folder); err == nil {
			paths = append(paths, h.tags[tagFolders][folder]+base)
		}
	}
	return paths
}

// rpmRepository writes a repository for dnf and zypper below a folder, with the packages in list.
func (r *release) rpmRepository(folder string, list []string) error {
	var primary, filelists, other strings.Builder
	for _, path := range list {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		h, err := rpmHeader(content)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		name := filepath.Base(path)
		if err := writeFile(filepath.Join(folder, name), content); err != nil {
			return err
		}
		id := fmt.Sprintf("%x", sha256.Sum256(content))
		version := fmt.Sprintf(`epoch="0" ver="%s" rel="%s"`, text(h.one(tagVersion)), text(h.one(tagRelease)))
		fmt.Fprintf(&primary, "<package type=\"rpm\"><name>%s</name><arch>%s</arch><version %s/><checksum type=\"sha256\" pkgid=\"YES\">%s</checksum>\n"+
			"<summary>%s</summary><description>%s</description><packager/><url>%s</url><time file=\"%d\" build=\"%s\"/>\n"+
			"<size package=\"%d\" installed=\"%s\" archive=\"%s\"/><location href=\"%s\"/>\n"+
			"<format><rpm:license>%s</rpm:license><rpm:header-range start=\"%d\" end=\"%d\"/>\n"+
			"<rpm:provides><rpm:entry name=\"linkmilter\" flags=\"EQ\" %s/></rpm:provides>\n<rpm:requires>",
			text(h.one(tagName)), text(h.one(tagArch)), version, id, text(h.one(tagSummary)), text(h.one(tagDescription)), text(h.one(tagURL)),
			r.date.Unix(), h.one(tagBuildTime), len(content), h.one(tagSize), h.one(tagSize), text(name),
			text(h.one(tagLicense)), h.start, h.end, version)
		for _, needed := range h.tags[tagRequires] {
			if !strings.HasPrefix(needed, "rpmlib(") && !strings.HasPrefix(needed, "config(") {
				fmt.Fprintf(&primary, "<rpm:entry name=%q/>", text(needed))
			}
		}
		primary.WriteString("</rpm:requires>\n")
		fmt.Fprintf(&filelists, "<package pkgid=\"%s\" name=\"linkmilter\" arch=\"%s\"><version %s/>\n", id, text(h.one(tagArch)), version)
		fmt.Fprintf(&other, "<package pkgid=\"%s\" name=\"linkmilter\" arch=\"%s\"><version %s/></package>\n", id, text(h.one(tagArch)), version)
		for _, file := range h.files() {
			fmt.Fprintf(&filelists, "<file>%s</file>\n", text(file))
			if strings.HasPrefix(file, "/etc/") || strings.Contains(file, "bin/") {
				fmt.Fprintf(&primary, "<file>%s</file>\n", text(file))
			}
		}
		primary.WriteString("</format></package>\n")
		filelists.WriteString("</package>\n")
	}
	return r.repomd(folder, len(list), primary.String(), filelists.String(), other.String())
}

// repomd writes the lists of a repository, and the file that names them.
func (r *release) repomd(folder string, count int, primary, filelists, other string) error {
	var index strings.Builder
	fmt.Fprintf(&index, "%s<repomd xmlns=\"http://linux.duke.edu/metadata/repo\" xmlns:rpm=\"http://linux.duke.edu/metadata/rpm\"><revision>%d</revision>\n", xml.Header, r.date.Unix())
	for _, list := range []struct{ kind, element, space, content string }{
		{"primary", "metadata", "common\" xmlns:rpm=\"http://linux.duke.edu/metadata/rpm", primary},
		{"filelists", "filelists", "filelists", filelists},
		{"other", "otherdata", "other", other},
	} {
		plain := fmt.Appendf(nil, "%s<%s xmlns=\"http://linux.duke.edu/metadata/%s\" packages=\"%d\">\n%s</%s>\n", xml.Header, list.element, list.space, count, list.content, list.element)
		zipped, err := compress(plain)
		if err != nil {
			return err
		}
		name := "repodata/" + list.kind + ".xml.gz"
		fmt.Fprintf(&index, "<data type=%q><checksum type=\"sha256\">%x</checksum><open-checksum type=\"sha256\">%x</open-checksum><location href=%q/><timestamp>%d</timestamp><size>%d</size><open-size>%d</open-size></data>\n",
			list.kind, sha256.Sum256(zipped), sha256.Sum256(plain), name, r.date.Unix(), len(zipped), len(plain))
		if err := writeFile(filepath.Join(folder, name), zipped); err != nil {
			return err
		}
	}
	return writeFile(filepath.Join(folder, "repodata/repomd.xml"), []byte(index.String()+"</repomd>\n"))
}

// text escapes text for XML.
func text(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder takes all
	return b.String()
}
