package milter

import (
	"testing"
	"testing/synctest"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/test/hostile"
)

// FuzzSession sends any bytes to the server. It neither panics nor hangs, closes the connection in
// the end, gives all memory back, and writes nothing to the global logger (TestMain). Each stream
// is sent alone and behind a negotiation, so that mutations reach the commands.
func FuzzSession(f *testing.F) {
	for _, s := range hostile.Malformed() {
		f.Add(s.Bytes, false)
	}
	whole := inMessage(frame('D', "Ni\x00Q1\x00"), frame('L', "Subject\x00 x\n y\x00"), frame('N'), frame('B', "body\r\n"), frame('E'))
	f.Add(whole, false)
	f.Add(append(whole, inMessage(frame('A'), frame('Q'))[len(optneg):]...), false)
	f.Add(whole[len(optneg):], true)
	f.Add(frame('O', numbers(2, 0, 0)), false)
	result := filter.Result{}
	result.Plan.Body = newBody("").Plan.Body
	result.Edited = []byte("\r\nnew")
	result.BodyStart = 2
	f.Fuzz(func(t *testing.T, stream []byte, negotiated bool) {
		if negotiated {
			stream = after(stream)
		}
		synctest.Test(t, func(t *testing.T) {
			s := startServer(t, Options{Options: mailserver.Options{Filter: &seen{result: result}, Limits: mailserver.Limits{MaxMessage: 10_000, Memory: 20_000}}})
			p := s.dial(t)
			closed := p.stream(stream)
			synctest.Wait()
			_ = p.conn.Close()
			<-closed
		})
		if text := globalLog.String(); text != "" {
			t.Errorf("written to the global logger: %s", text)
		}
	})
}
