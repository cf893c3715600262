package service

import (
	"context"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestHTTPOpensNoMilter: without a file and another address, --http opens no port for the milter.
func TestHTTPOpensNoMilter(t *testing.T) {
	logs, signals, ended := newLogs(), make(chan os.Signal, 1), make(chan error, 1)
	go func() {
		ended <- Run(context.Background(), Options{HTTP: []string{"unix:" + t.TempDir() + "/s"}, Version: "test", Log: logs, Signals: signals})
	}()
	logs.wait(t, "for=http", 1)
	signals <- syscall.SIGTERM
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if all := logs.String(); strings.Contains(all, "for=milter") {
		t.Error(all)
	}
}
