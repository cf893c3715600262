package demo

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/smtp"
	"sync"

	"github.com/linkmilter/linkmilter/filter"
	"github.com/linkmilter/linkmilter/internal/envelope"
	"github.com/linkmilter/linkmilter/internal/mailserver"
	"github.com/linkmilter/linkmilter/internal/mta"
	"github.com/linkmilter/linkmilter/internal/report"
	"github.com/linkmilter/linkmilter/milter"
	"github.com/linkmilter/linkmilter/mime"
)

// Run sends each sample message by SMTP through a milter session to linkmilter and writes it to out
// before and after. All servers listen on free ports of 127.0.0.1, and are closed when Run returns.
func Run(ctx context.Context, out io.Writer) error {
	names, err := fs.Glob(samples, "samples/*.eml")
	if err != nil {
		return err
	}
	m, err := start(ctx)
	if err != nil {
		return err
	}
	defer m.close()

	p := &printer{out: out}
	p.introduce(len(names))
	for _, name := range names {
		data, err := samples.ReadFile(name)
		if err != nil {
			return err
		}
		sent := []byte(mta.CRLF(string(data)))
		arrived, r, err := m.send(sent)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		p.message(sent, arrived, r)
	}
	p.conclude()
	return p.err
}

// mailPath has the stations of a message: SMTP server, milter session, linkmilter, mailbox.
type mailPath struct {
	smtp, milter net.Listener
	server       *milter.Server
	servers      sync.WaitGroup
	delivered    chan []byte
	reports      chan report.Report
}

// recorder is the filter; it remembers the last report.
type recorder struct {
	filter  *filter.Filter
	reports chan<- report.Report
}

func (r recorder) Message(ctx context.Context, env envelope.Envelope, raw []byte) filter.Result {
	result := r.filter.Message(ctx, env, raw)
	r.reports <- result.Report
	return result
}

func start(ctx context.Context) (*mailPath, error) {
	f, err := filter.New(filter.Options{})
	if err != nil {
		return nil, err
	}
	m := &mailPath{delivered: make(chan []byte, 1), reports: make(chan report.Report, 1)}
	m.server, err = milter.NewServer(milter.Options{
		Options: mailserver.Options{Filter: recorder{f, m.reports}, Log: slog.New(slog.DiscardHandler)},
	})
	if err != nil {
		return nil, err
	}
	var config net.ListenConfig
	if m.milter, err = config.Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	if m.smtp, err = config.Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
		m.milter.Close()
		return nil, err
	}
	mta := &server{milter: m.milter.Addr(), client: here, deliver: func(message []byte) { m.delivered <- message }}
	m.servers.Go(func() { _ = m.server.Serve(m.milter) })
	m.servers.Go(func() { _ = mta.serve(m.smtp) })
	return m, nil
}

func (m *mailPath) close() {
	m.smtp.Close()
	_ = m.server.Shutdown(context.Background())
	m.servers.Wait()
}

// send sends a message by SMTP and returns it as it arrived.
func (m *mailPath) send(message []byte) (arrived []byte, r report.Report, err error) {
	err = smtp.SendMail(m.smtp.Addr().String(), nil, value(message, "From"), []string{value(message, "To")}, message)
	if err != nil {
		return nil, r, err
	}
	return <-m.delivered, <-m.reports, nil
}

// value returns the value of the first field with a name, or "".
func value(message []byte, name string) string {
	parsed := mime.Parse(context.Background(), message, mime.Limits{})
	for _, f := range parsed.Root.Fields {
		if f.Name == name {
			return parsed.FieldValue(f)
		}
	}
	return ""
}
