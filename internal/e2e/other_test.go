//go:build !linux

package e2e

import (
	"testing"

	"github.com/linkmilter/linkmilter/internal/testenv"
)

func TestMailServers(t *testing.T) {
	testenv.Missing(t, "Linux, for Postfix, Sendmail and Exim from Debian packages")
}
