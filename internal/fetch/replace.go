package fetch

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Folder returns the folder for fetched lists: the first folder of $CACHE_DIRECTORY, which systemd
// sets for a service with CacheDirectory=, or else linkmilter in the user's cache folder.
func Folder() (string, error) {
	if folder, _, _ := strings.Cut(os.Getenv("CACHE_DIRECTORY"), ":"); folder != "" {
		return folder, nil
	}
	folder, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for the cache file: %w", err)
	}
	return filepath.Join(folder, "linkmilter"), nil
}

// Replace atomically replaces a file by one with the content that write writes: a reader finds
// either the old content or the new one, also after a power cut.
func Replace(path string, write func(io.Writer) error) (err error) {
	folder := filepath.Dir(path)
	temp, err := os.CreateTemp(folder, "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			temp.Close()
			os.Remove(temp.Name())
		}
	}()
	if err := cmp.Or(write(temp), temp.Chmod(0o644), temp.Sync()); err != nil {
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	return syncFolder(folder)
}

// syncFolder makes a rename survive a power cut.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}

// Write returns a function that writes a content, for [Replace].
func Write(content []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}
}
