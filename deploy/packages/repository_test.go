package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// newRelease makes a release of one small file for two architectures.
func newRelease(t *testing.T) *release {
	t.Helper()
	tree := t.TempDir()
	for name, mode := range map[string]os.FileMode{"usr/bin/linkmilter": 0o755, "etc/linkmilter.toml": 0o644, "usr/share/linkmilter/linkmilter.toml": 0o644} {
		path := filepath.Join(tree, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	list, err := installed(tree)
	if err != nil {
		t.Fatal(err)
	}
	v, err := parseVersion("v1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	r := &release{root: "../..", out: t.TempDir(), described: "v1.0.0", version: v, date: time.Unix(1_700_000_000, 0).UTC()}
	for _, r.arch = range []string{"amd64", "arm64"} {
		for _, write := range []func() (string, []byte, error){
			func() (string, []byte, error) { return r.pack("deb", list) },
			func() (string, []byte, error) { return r.pack("rpm", list) },
			func() (string, []byte, error) { return r.tarball(list) },
		} {
			name, content, err := write()
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(r.out, name), content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := r.finish(); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSums: the checksums name every file, and the same release has the same ones.
func TestSums(t *testing.T) {
	r := newRelease(t)
	first, err := os.ReadFile(filepath.Join(r.out, "SHA256SUMS"))
	if err != nil || bytes.Count(first, []byte("\n")) != 2*3+1+2+5+2+4 {
		t.Errorf("%v\n%s", err, first)
	}
	second, err := os.ReadFile(filepath.Join(newRelease(t).out, "SHA256SUMS"))
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("%v\n%s", err, second)
	}
	check := exec.Command("sha256sum", "--check", "--quiet", "SHA256SUMS")
	check.Dir = r.out
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// TestApt: apt reads the repository and fetches the package for its architecture.
func TestApt(t *testing.T) {
	if _, err := exec.LookPath("apt-get"); err != nil {
		t.Skip("apt-get is missing")
	}
	r := newRelease(t)
	state := t.TempDir()
	for _, folder := range []string{"lists/partial", "cache/archives/partial", "etc"} {
		if err := os.MkdirAll(filepath.Join(state, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	list := filepath.Join(state, "etc/list")
	if err := os.WriteFile(list, fmt.Appendf(nil, "deb [trusted=yes] copy:%s/apt stable main\n", r.out), 0o644); err != nil {
		t.Fatal(err)
	}
	apt := func(args ...string) {
		t.Helper()
		options := []string{
			"-o", "Dir::State::Lists=" + state + "/lists", "-o", "Dir::Cache=" + state + "/cache", "-o", "Dir::Etc::SourceList=" + list, "-o", "Dir::Etc::SourceParts=-",
			"-o", "APT::Architecture=arm64", "-o", "APT::Architectures=arm64", "-o", "APT::Sandbox::User=root", "-o", "Debug::NoLocking=1",
		}
		cmd := exec.Command("apt-get", append(options, args...)...)
		cmd.Dir = state
		if out, err := cmd.CombinedOutput(); err != nil || bytes.Contains(out, []byte("W:")) || bytes.Contains(out, []byte("E:")) {
			t.Fatalf("apt-get %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	apt("update")
	apt("download", "linkmilter")
	if found, _ := filepath.Glob(filepath.Join(state, "linkmilter_*_arm64.deb")); len(found) != 1 {
		t.Errorf("fetched %q", found)
	}
}

// TestRPMRepository: the lists are valid, name the packages, and know where their headers are.
func TestRPMRepository(t *testing.T) {
	r := newRelease(t)
	var index struct {
		Data []struct {
			Type     string `xml:"type,attr"`
			Location struct {
				Href string `xml:"href,attr"`
			} `xml:"location"`
		} `xml:"data"`
	}
	content, err := os.ReadFile(filepath.Join(r.out, "rpm/repodata/repomd.xml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(content, &index); err != nil || len(index.Data) != 3 {
		t.Fatalf("%v %+v", err, index)
	}
	var primary struct {
		Packages []struct {
			Name     string `xml:"name"`
			Arch     string `xml:"arch"`
			Location struct {
				Href string `xml:"href,attr"`
			} `xml:"location"`
			Format struct {
				Range struct {
					Start int `xml:"start,attr"`
					End   int `xml:"end,attr"`
				} `xml:"header-range"`
				Files []string `xml:"file"`
			} `xml:"format"`
		} `xml:"package"`
	}
	for _, data := range index.Data {
		file, err := os.Open(filepath.Join(r.out, "rpm", data.Location.Href))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		unzipped, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := xml.NewDecoder(unzipped).Decode(&primary); err != nil {
			t.Errorf("%s: %v", data.Type, err)
		}
		if data.Type != "primary" {
			continue
		}
		if len(primary.Packages) != 2 {
			t.Fatalf("%+v", primary)
		}
		for _, p := range primary.Packages {
			content, err := os.ReadFile(filepath.Join(r.out, "rpm", p.Location.Href))
			if err != nil {
				t.Fatal(err)
			}
			at := content[p.Format.Range.Start:]
			if !bytes.HasPrefix(at, []byte{0x8e, 0xad, 0xe8, 1}) || !bytes.HasPrefix(content[p.Format.Range.End:], []byte{0x1f, 0x8b}) {
				t.Errorf("%s: the header is not in %+v", p.Arch, p.Format.Range)
			}
			if p.Name != "linkmilter" || !strings.Contains(strings.Join(p.Format.Files, " "), "/usr/bin/linkmilter") {
				t.Errorf("%+v", p)
			}
		}
	}
}

// TestImage: each digest in the archive is that of a blob, and the layer has the program.
func TestImage(t *testing.T) {
	r := newRelease(t)
	file, err := os.Open(filepath.Join(r.out, "linkmilter-1.0.0.oci.tar"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	blobs := map[string][]byte{}
	for archive := tar.NewReader(file); ; {
		h, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if blobs[h.Name], err = io.ReadAll(archive); err != nil {
			t.Fatal(err)
		}
	}
	read := func(d descriptor, into any) {
		t.Helper()
		content := blobs["blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:")]
		if len(content) != d.Size {
			t.Fatalf("%+v has %d bytes", d, len(content))
		}
		if err := json.Unmarshal(content, into); err != nil {
			t.Fatal(err)
		}
	}
	var index, images manifest
	if err := json.Unmarshal(blobs["index.json"], &index); err != nil || len(index.Manifests) != 1 {
		t.Fatal(err, index)
	}
	read(index.Manifests[0], &images)
	if len(images.Manifests) != 2 {
		t.Fatalf("%+v", images)
	}
	for _, d := range images.Manifests {
		var image manifest
		read(d, &image)
		var config imageConfig
		read(*image.Config, &config)
		layer := blobs["blobs/sha256/"+strings.TrimPrefix(image.Layers[0].Digest, "sha256:")]
		program, err := fileIn(layer, "usr/bin/linkmilter")
		if config.Architecture != d.Platform["architecture"] || config.Config.User != "65532:65532" || err != nil || program == "" {
			t.Errorf("%+v %v", config, err)
		}
	}
}
