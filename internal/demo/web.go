package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/linkmilter/linkmilter/internal/service"
)

// configuration is the configuration of the service. The service keeps subjects and the contents of
// edited messages, which is harmless because all of them are samples.
const configuration = `[milter]
listen = [%q]
[admin]
listen = %q
renderings = 20
history_subjects = true
[log]
format = "json"
`

// Web runs the service with its page for operators on a TCP address, such as
// 127.0.0.1:0, and sends it sample mail. It writes the URL of the page to out. It
// returns when ctx ends or the service fails.
func Web(ctx context.Context, out io.Writer, version, address string) error {
	folder, err := os.MkdirTemp("", "linkmilter-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	socket, file := filepath.Join(folder, "s"), filepath.Join(folder, "linkmilter.toml")
	if err := os.WriteFile(file, fmt.Appendf(nil, configuration, "unix:"+socket, address), 0o600); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	log, logged := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := service.Run(ctx, service.Options{Config: file, Version: version, Log: logged})
		logged.Close()
		ended <- err
	}()
	listening := listeningAt(log)
	go func() { _, _ = io.Copy(io.Discard, log) }() // the service would wait for a reader of its log
	if listening == "" {
		return <-ended
	}
	if err = sendTraffic(socket); err == nil {
		_, err = fmt.Fprintf(out, "Sample mail is on the page http://%s/\nCtrl-C ends it.\n", listening)
	}
	if err != nil {
		stop()
	}
	return errors.Join(err, <-ended)
}

// listeningAt returns the address of the page when the service logs it, or "" if the
// service ends before.
func listeningAt(log io.Reader) string {
	for lines := bufio.NewScanner(log); lines.Scan(); {
		var record struct{ For, Address string }
		if json.Unmarshal(lines.Bytes(), &record) == nil && record.For == "admin" {
			return strings.TrimPrefix(record.Address, "tcp:")
		}
	}
	return ""
}
