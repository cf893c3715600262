package main

import (
	"errors"
	"os"
	"slices"
	"syscall"
)

// A regularFile is an open file that cannot block. The calls of the system are direct,
// since os.Open prepares each file for waiting, which takes longer than to read a
// message.
type regularFile struct {
	name       string
	descriptor int
	size       int64
}

// openRegular opens a file. If the file at that name is not regular any more, it may
// block.
func openRegular(name string) (f regularFile, err error) {
	f.name = name
	if f.descriptor, err = restarted(func() (int, error) { return syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0) }); err != nil {
		return f, &os.PathError{Op: "open", Path: name, Err: err}
	}
	var stat syscall.Stat_t
	if err := syscall.Fstat(f.descriptor, &stat); err != nil {
		f.close()
		return f, &os.PathError{Op: "stat", Path: name, Err: err}
	}
	f.size = stat.Size
	return f, nil
}

func (f regularFile) close() { _ = syscall.Close(f.descriptor) }

// read appends to read more of the content, until that has limit bytes or all.
func (f regularFile) read(read []byte, limit int) ([]byte, error) {
	for len(read) < limit && (len(read) == 0 || int64(len(read)) != f.size) {
		if len(read) == cap(read) {
			read = slices.Grow(read, max(len(read), minRead))
		}
		room := read[len(read):min(cap(read), limit)]
		n, err := restarted(func() (int, error) { return syscall.Read(f.descriptor, room) })
		if err != nil {
			return read, &os.PathError{Op: "read", Path: f.name, Err: err}
		}
		if n == 0 {
			break
		}
		read = read[:len(read)+n]
	}
	return read, nil
}

// minRead is the room for a file whose size the system does not say, as below /proc.
const minRead = 4 << 10

// restarted calls f again while signals interrupt it.
func restarted(f func() (int, error)) (int, error) {
	for {
		if n, err := f(); !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
