//go:build !linux

package e2e

import (
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/env"
)

func TestMailServers(t *testing.T) {
	env.Missing(t, "Linux, for Postfix, Sendmail and Exim from Debian packages")
}
