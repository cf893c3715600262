package rendering

import "bytes"

// viewer writes what a message shows.
type viewer struct {
	out   bytes.Buffer
	parts int
	plain bool // without style sheets and images
}
