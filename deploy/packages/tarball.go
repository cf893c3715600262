package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
)

// tarball makes an archive of the files, which is unpacked in the root folder.
func (r *release) tarball(list []file) (string, []byte, error) {
	var content bytes.Buffer
	compressed := gzip.NewWriter(&content)
	archive := tar.NewWriter(compressed)
	for _, f := range list {
		data, err := os.ReadFile(f.source)
		if err != nil {
			return "", nil, err
		}
		header := &tar.Header{
			Typeflag: tar.TypeReg, Name: "." + f.path, Size: int64(len(data)), Mode: int64(f.mode),
			ModTime: r.date, Uname: "root", Gname: "root", Format: tar.FormatPAX,
		}
		if err := archive.WriteHeader(header); err != nil {
			return "", nil, err
		}
		if _, err := archive.Write(data); err != nil {
			return "", nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return "", nil, err
	}
	if err := compressed.Close(); err != nil {
		return "", nil, err
	}
	return "linkmilter-" + r.version.String() + "-linux-" + r.arch + ".tar.gz", content.Bytes(), nil
}
