package logging

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/journal"
)

// toSystemd writes lines of the text format without level and time. It sends them to the journal as
// entries with fields. If that fails, it writes lines as sd-daemon(3) describes, with the level of
// syslog in angle brackets.
type toSystemd struct {
	text  slog.Handler
	out   *prefixed
	attrs []slog.Attr // attributes, with the names of their groups
	group string      // prefix for the names of further attributes, with an underscore at its end
}

func newJournal(w io.Writer, level slog.Leveler, send sender) *toSystemd {
	out := &prefixed{w: w, send: send}
	return &toSystemd{out: out, text: slog.NewTextHandler(out, &slog.HandlerOptions{
		Level: level,
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.LevelKey {
				return slog.Attr{}
			}
			return a
		},
	})}
}

func (j *toSystemd) Enabled(ctx context.Context, level slog.Level) bool {
	return j.text.Enabled(ctx, level)
}

func (j *toSystemd) Handle(ctx context.Context, r slog.Record) error {
	r.Time = time.Time{} // then the text handler writes no time
	j.out.mu.Lock()
	defer j.out.mu.Unlock()
	j.out.level = r.Level
	if j.out.send != nil {
		j.out.fields = fieldsOf(j.attrs, j.group, r)
	}
	return j.text.Handle(ctx, r)
}

func (j *toSystemd) WithAttrs(attrs []slog.Attr) slog.Handler {
	own := slices.Clone(j.attrs)
	for _, a := range attrs {
		own = append(own, slog.Attr{Key: j.group + a.Key, Value: a.Value})
	}
	return &toSystemd{j.text.WithAttrs(attrs), j.out, own, j.group}
}

func (j *toSystemd) WithGroup(name string) slog.Handler {
	return &toSystemd{j.text.WithGroup(name), j.out, j.attrs, j.group + name + "_"}
}

// priorityOf returns the level of syslog (RFC 5424 §6.2.1) for a level.
func priorityOf(level slog.Level) journal.Priority {
	switch {
	case level >= slog.LevelError:
		return journal.PriErr
	case level >= slog.LevelWarn:
		return journal.PriWarning
	case level >= slog.LevelInfo:
		return journal.PriInfo
	}
	return journal.PriDebug
}

// prefixed writes a prefix and a line at once, so that lines of other processes on the same stream
// cannot come between them. The caller holds mu.
type prefixed struct {
	mu     sync.Mutex
	w      io.Writer
	send   sender // sends to the journal; nil: lines are written
	level  slog.Level
	fields map[string]string // for the journal
	line   []byte
}

// Write is called once for each line. If the journal does not accept the line, it is written as
// text.
func (p *prefixed) Write(line []byte) (int, error) {
	if p.send != nil && p.send(string(bytes.TrimSuffix(line, []byte("\n"))), priorityOf(p.level), p.fields) == nil {
		return len(line), nil
	}
	p.line = append(fmt.Appendf(p.line[:0], "<%d>", priorityOf(p.level)), line...)
	if _, err := p.w.Write(p.line); err != nil {
		return 0, err
	}
	return len(line), nil
}
