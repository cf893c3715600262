package logging

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// journal writes lines as sd-daemon(3) describes: the level of syslog in angle
// brackets, no time, then what the text format writes.
type journal struct {
	text slog.Handler
	out  *prefixed
}

func newJournal(w io.Writer, level slog.Leveler) *journal {
	out := &prefixed{w: w}
	return &journal{out: out, text: slog.NewTextHandler(out, &slog.HandlerOptions{
		Level: level,
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.LevelKey {
				return slog.Attr{}
			}
			return a
		},
	})}
}

func (j *journal) Enabled(ctx context.Context, level slog.Level) bool {
	return j.text.Enabled(ctx, level)
}

func (j *journal) Handle(ctx context.Context, r slog.Record) error {
	r.Time = time.Time{} // the text handler then writes none
	j.out.mu.Lock()
	defer j.out.mu.Unlock()
	j.out.prefix = prefix(r.Level)
	return j.text.Handle(ctx, r)
}

func (j *journal) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &journal{j.text.WithAttrs(attrs), j.out}
}

func (j *journal) WithGroup(name string) slog.Handler {
	return &journal{j.text.WithGroup(name), j.out}
}

// prefix is the level of syslog (RFC 5424 §6.2.1) for a level.
func prefix(level slog.Level) string {
	switch {
	case level >= slog.LevelError:
		return "<3>"
	case level >= slog.LevelWarn:
		return "<4>"
	case level >= slog.LevelInfo:
		return "<6>"
	}
	return "<7>"
}

// prefixed writes a prefix and a line at once, so that lines of other processes
// on the same stream cannot come in between. Its user holds mu.
type prefixed struct {
	mu     sync.Mutex
	w      io.Writer
	prefix string
	line   []byte
}

// Write is called once a line.
func (p *prefixed) Write(line []byte) (int, error) {
	p.line = append(append(p.line[:0], p.prefix...), line...)
	if _, err := p.w.Write(p.line); err != nil {
		return 0, err
	}
	return len(line), nil
}
