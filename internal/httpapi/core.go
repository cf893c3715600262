package httpapi

import (
	"sync/atomic"

	"github.com/linkmilter/linkmilter/internal/mailserver"
)

// core is what the connections of a Server share.
type core struct {
	*mailserver.Server
	options     Options
	credentials atomic.Pointer[Credentials]
}
