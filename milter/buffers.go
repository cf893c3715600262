package milter

import "sync"

// keptBuffer is the size in bytes up to which buffers are reused. Few messages need larger ones.
const keptBuffer = 32 << 10

// buffers has the buffers that are not in use. Most connections are idle most of the time, and then
// have no buffer except the one for reading from the socket.
var buffers sync.Pool

// takeBuffer returns an empty buffer, which may have no room yet.
func takeBuffer() []byte {
	if b, ok := buffers.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return nil
}

// returnBuffer returns a buffer that is no longer used.
func returnBuffer(b []byte) {
	if 0 < cap(b) && cap(b) <= keptBuffer {
		buffers.Put(&b)
	}
}
