package service

import (
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/linkmilter/linkmilter/internal/config"
)

// TestDrain: while the service drains, it is not ready but still takes mail, also on new
// connections. A second signal ends the drain, and open messages are finished.
func TestDrain(t *testing.T) {
	manager := newSystemd(t)
	r := run(t, ruleWith(`html = "needed"`)+"[admin]\nlisten = \"127.0.0.1:0\"\n[service]\ndrain = \"1h\"\n")
	manager.waitFor(t, "READY=1")
	r.logs.wait(t, "for=admin", 1)
	base := "http://" + r.logs.after(t, "for=admin address=tcp:")
	open := r.connect(t)
	open.begin(t)
	r.signals <- syscall.SIGTERM
	r.logs.wait(t, "for=1h0m0s", 1)
	manager.waitFor(t, "STOPPING=1")
	manager.waitFor(t, "EXTEND_TIMEOUT_USEC=3631000000")
	r.signals <- syscall.SIGHUP // a reload has no effect any more
	if status, body := get(t, base+"/readyz"); status != 503 || body != "stopping\n" {
		t.Errorf("%d %q", status, body)
	}
	if status, body := get(t, base+"/healthz"); status != 200 {
		t.Errorf("%d %q", status, body)
	}
	late := r.connect(t)
	if got := late.send(t, hindi); got != "edited" {
		t.Errorf("outcome %q", got)
	}
	r.signals <- syscall.SIGTERM
	r.logs.wait(t, `msg="draining no longer"`, 1)
	if got := open.end(t, hindi); got != "edited" {
		t.Errorf("outcome %q", got)
	}
	if err := r.wait(t); err != nil {
		t.Error(err)
	}
	open.close()
	late.close()
	checkNoGoroutines(t)
}

// The drain takes as long as the configuration in use says.
func TestDrainEnds(t *testing.T) {
	r := run(t, ruleWith()+"[service]\ndrain = \"1h\"\n")
	const short = 300 * time.Millisecond
	r.reload(t, ruleWith()+"[service]\ndrain = \""+short.String()+"\"\n")
	start := time.Now()
	if err := r.stop(t); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took < short {
		t.Errorf("drained for %s, want %s", took, short)
	}
}

// A listener that fails ends the drain with its error.
func TestDrainWithoutListener(t *testing.T) {
	broken := errors.New("broken")
	s := &service{options: Options{Log: newLogs()}, level: levelOf()}
	if err := s.prepare(); err != nil {
		t.Fatal(err)
	}
	s.file.Service.Drain = config.Duration(time.Hour)
	s.failed = make(chan error, 1)
	s.failed <- broken
	if err := s.stop(func() {}, true); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}
