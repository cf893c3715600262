// Package secretfile reads files with secrets, such as private keys and tokens, and refuses
// those that other users of the machine may read or change.
package secretfile

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// MaxSize is the size in bytes of the largest file that is read. An RSA key of 16,384 bits
// has 13 KB.
const MaxSize = 64 << 10

// Read reads a file that only its owner and a group of this process may read. An error
// does not name the file, and may come with advice.
func Read(path string) (data []byte, advice string, err error) {
	if path == "" {
		return nil, "", errors.New("no file (want its path)")
	}
	// Opening a named pipe would wait for its writer.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, "", errors.New("not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		var failed *os.PathError
		if errors.As(err, &failed) {
			err = failed.Err
		}
		if errors.Is(err, os.ErrPermission) {
			advice = "Let the user that linkmilter runs as read it, for example by its group: chgrp GROUP FILE; chmod 640 FILE"
		}
		return nil, advice, err
	}
	defer f.Close()
	info, err := f.Stat() // of the open file: the path may name another one by now
	if err != nil {
		return nil, "", err
	}
	if advice, err := checkAccess(info); err != nil {
		return nil, advice, err
	}
	data, err = io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, "", err
	}
	if len(data) > MaxSize {
		return nil, "", fmt.Errorf("too large (want at most %d bytes)", MaxSize)
	}
	return data, "", nil
}
