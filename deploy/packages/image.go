package main

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"sort"
	"strings"
	"time"
)

// Types of an image (OCI image specification).
const (
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    map[string]string `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type manifest struct {
	SchemaVersion int          `json:"schemaVersion"`
	MediaType     string       `json:"mediaType"`
	Config        *descriptor  `json:"config,omitempty"`
	Layers        []descriptor `json:"layers,omitempty"`
	Manifests     []descriptor `json:"manifests,omitempty"`
}

type imageConfig struct {
	Created      time.Time `json:"created"`
	Architecture string    `json:"architecture"`
	OS           string    `json:"os"`
	Config       struct {
		User         string
		ExposedPorts map[string]struct{}
		Entrypoint   []string
		Cmd          []string
		Labels       map[string]string
	} `json:"config"`
	RootFS struct {
		Type    string   `json:"type"`
		DiffIDs []string `json:"diff_ids"`
	} `json:"rootfs"`
}

// image makes an archive with an image for each of the tar archives, by architecture: the same as
// deploy/Containerfile makes.
func (r *release) image(archives map[string]string) ([]byte, error) {
	blobs := map[string][]byte{}
	blob := func(kind string, content []byte) descriptor {
		digest := fmt.Sprintf("%x", sha256.Sum256(content))
		blobs["blobs/sha256/"+digest] = content
		return descriptor{MediaType: kind, Digest: "sha256:" + digest, Size: len(content)}
	}
	document := func(kind string, value any) (descriptor, error) {
		content, err := json.Marshal(value)
		return blob(kind, content), err
	}
	var archs []string
	for arch := range archives {
		archs = append(archs, arch)
	}
	sort.Strings(archs)
	all := manifest{SchemaVersion: 2, MediaType: typeIndex}
	for _, arch := range archs {
		layer, err := r.layer(archives[arch])
		if err != nil {
			return nil, err
		}
		zipped, err := compress(layer)
		if err != nil {
			return nil, err
		}
		c := imageConfig{Created: r.date, Architecture: arch, OS: "linux"}
		c.Config.User, c.Config.ExposedPorts = "65532:65532", map[string]struct{}{"8895/tcp": {}}
		c.Config.Entrypoint, c.Config.Cmd = []string{"/usr/bin/linkmilter"}, []string{"serve", "--config", "/etc/linkmilter.toml"}
		c.Config.Labels = map[string]string{"org.opencontainers.image.version": r.described, "org.opencontainers.image.source": "https://github.com/linkmilter/linkmilter"}
		c.RootFS.Type, c.RootFS.DiffIDs = "layers", []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))}
		config, err := document(typeConfig, c)
		if err != nil {
			return nil, err
		}
		m, err := document(typeManifest, manifest{SchemaVersion: 2, MediaType: typeManifest, Config: &config, Layers: []descriptor{blob(typeLayer, zipped)}})
		if err != nil {
			return nil, err
		}
		m.Platform = map[string]string{"architecture": arch, "os": "linux"}
		all.Manifests = append(all.Manifests, m)
	}
	list, err := document(typeIndex, all)
	if err != nil {
		return nil, err
	}
	list.Annotations = map[string]string{"org.opencontainers.image.ref.name": "linkmilter:" + r.described}
	if blobs["index.json"], err = json.Marshal(manifest{SchemaVersion: 2, MediaType: typeIndex, Manifests: []descriptor{list}}); err != nil {
		return nil, err
	}
	blobs["oci-layout"] = []byte(`{"imageLayoutVersion":"1.0.0"}`)
	return r.archive(blobs, 0o644)
}

// layer returns a layer of an image, which has the files of a tar archive of the release.
func (r *release) layer(archive string) ([]byte, error) {
	content, err := os.ReadFile(archive)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, name := range []string{"usr/bin/linkmilter", "etc/linkmilter.toml"} {
		text, err := fileIn(content, name)
		if err != nil {
			return nil, err
		}
		files[name] = []byte(text)
	}
	return r.archive(files, 0o755)
}

// archive makes a tar archive of files by name, with their folders. Programs have the mode exec.
func (r *release) archive(files map[string][]byte, exec int64) ([]byte, error) {
	names := map[string]bool{}
	for name := range files {
		names[name] = true
		for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
			names[folder+"/"] = true
		}
	}
	var sorted []string
	for name := range names {
		sorted = append(sorted, name)
	}
	sort.Strings(sorted)
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range sorted {
		h := &tar.Header{Name: name, Typeflag: tar.TypeDir, Mode: 0o755, ModTime: r.date, Format: tar.FormatPAX}
		content, isFile := files[name]
		if isFile {
			h.Typeflag, h.Mode, h.Size = tar.TypeReg, 0o644, int64(len(content))
			if strings.Contains(name, "bin/") {
				h.Mode = exec
			}
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
