//go:build linux

package faults

import (
	"fmt"
	"os"
	"testing"

	"github.com/linkmilter/linkmilter/internal/test/e2e"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := e2e.RemoveBinary(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}
