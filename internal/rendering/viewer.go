package rendering

import "bytes"

// viewer writes what a message shows.
type viewer struct {
	out   bytes.Buffer
	parts int
}
