package contentfilter

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// core is what the connections of a Server share.
type core struct {
	*mailserver.Server
	options    Options
	quarantine *maildir // or nil
	failures   atomic.Uint64
	messages   atomic.Uint64 // for their names
}

// newID names a message, for the log and for Received.
func (c *core) newID() string {
	return strconv.FormatInt(time.Now().UnixMicro(), 36) + strconv.FormatUint(c.messages.Add(1)%(36*36*36)+36*36*36, 36)
}
