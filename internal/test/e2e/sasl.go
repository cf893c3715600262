//go:build linux

package e2e

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// User and Password are what clients log in with where a listener lets them.
const (
	User     = "anna"
	Password = "a secret"
)

// saslModules is the package with the mechanisms of the Cyrus SASL library,
// which both servers use.
const saslModules = "libsasl2-modules"

// saslFolder is the folder with the mechanisms.
func (u unpacked) saslFolder(tb testing.TB) string {
	tb.Helper()
	found, err := filepath.Glob(u.path("usr/lib/*/sasl2"))
	if err != nil || len(found) != 1 {
		tb.Fatalf("folders with SASL mechanisms: %v (%v), want one", found, err)
	}
	return found[0]
}

// loginAllowed reports whether clients can log in at any of the listeners.
func loginAllowed(listeners []Listener) bool {
	return slices.ContainsFunc(listeners, func(l Listener) bool { return l.Login })
}

// startLogins makes the folder conf/sasl with what a program, as it calls
// itself to the library, has to know: that passwords are checked at a unix
// socket. There the test answers in the manner of saslauthd.
func startLogins(tb testing.TB, s *Server, program string) {
	tb.Helper()
	conf, socket := filepath.Join(s.dir, "conf/sasl"), filepath.Join(s.dir, "saslauthd")
	if err := os.Mkdir(conf, 0o755); err != nil {
		tb.Fatal(err)
	}
	writeFile(tb, filepath.Join(conf, program+".conf"),
		"pwcheck_method: saslauthd\nsaslauthd_path: "+socket+"\nmech_list: PLAIN\n", 0o644)
	l, err := net.Listen("unix", socket)
	if err != nil {
		tb.Fatal(err)
	}
	if err := os.Chmod(socket, 0o666); err != nil {
		tb.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			if err := answerLogin(conn); err != nil {
				tb.Errorf("question for a password: %v", err)
			}
		}
	})
	tb.Cleanup(func() {
		l.Close()
		serving.Wait()
	})
}

// answerLogin answers one question: user, password, service and realm, each
// behind its length in two bytes. The answer has the same form.
func answerLogin(conn net.Conn) error {
	defer conn.Close()
	var question [4]string
	for i := range question {
		var size uint16
		if err := binary.Read(conn, binary.BigEndian, &size); err != nil {
			return err
		}
		text := make([]byte, size)
		if _, err := io.ReadFull(conn, text); err != nil {
			return err
		}
		question[i] = string(text)
	}
	answer := "NO"
	if question[0] == User && question[1] == Password {
		answer = "OK"
	}
	_, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...))
	return errors.Join(err, conn.Close())
}
