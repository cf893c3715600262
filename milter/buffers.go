package milter

import "sync"

// keptBuffer is the size in bytes up to which buffers are used again; few
// messages need larger ones.
const keptBuffer = 32 << 10

// buffers holds those that are not in use. Most connections are idle most of the
// time and then have none, but for the one that reads from the socket.
var buffers sync.Pool

// takeBuffer returns an empty buffer, which may have no room yet.
func takeBuffer() []byte {
	if b, ok := buffers.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return nil
}

// returnBuffer gives a buffer back that is not used any more.
func returnBuffer(b []byte) {
	if 0 < cap(b) && cap(b) <= keptBuffer {
		buffers.Put(&b)
	}
}
